// soaktest [--seconds N] [--every N] [--leak]
//
// Mixed use of caches for a long time: stale windows, limits, tags, scopes, batches, cancelled callers,
// memory and disk, six tasks. Every so often a line says what the process holds. From the first minute
// on nothing may grow: the resident size by no more than a tenth, descriptors not at all to speak of,
// and a clock has few sleepers and no deadlines of loads that have ended. A run of less than three
// minutes judges all but the size, from its first third on. `--leak` plants a fault: a part of the loads leaves its deadline behind. Ends with
// 1 when something was wrong.
import CacheAside

func usage() -> Never {
  writeLine("usage: soaktest [--seconds N] [--every N] [--leak]", to: 2)
  leave(2)
}

var seconds = 300
var every = 20
var leaks = false
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch option {
  case "--seconds": seconds = arguments.popFirst().flatMap { Int($0) } ?? 0
  case "--every": every = arguments.popFirst().flatMap { Int($0) } ?? 0
  case "--leak": leaks = true
  default: usage()
  }
}
guard every > 0, seconds >= 3 * every else { usage() }

let soak = try Soak(leaks: leaks)
let clock = ContinuousClock()
let start = clock.now
let users = (0..<6).map { number in Task { try await soak.use(as: number) } }
var samples: [Sample] = []
writeLine(Sample.header, to: 1)
while clock.now - start < .seconds(seconds) {
  try await clock.sleep(until: start + .seconds(every * (samples.count + 1)))
  let sample = soak.sample(at: (clock.now - start) / .seconds(1))
  writeLine(sample.row, to: 1)
  samples.append(sample)
}
soak.stop()
for user in users { try await user.value }
try await soak.close()
let rest = soak.sample(at: (clock.now - start) / .seconds(1))
writeLine(rest.row, to: 1)
let isLong = seconds >= 180
let faults = judge(samples, rest, from: isLong ? 60 : Double(seconds) / 3, judgesSize: isLong)
for fault in faults { writeLine("fault: \(fault)", to: 1) }
if faults.isEmpty { writeLine("nothing grows", to: 1) }
leave(faults.isEmpty ? 0 : 1)
