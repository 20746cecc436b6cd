// latetest [--rounds N]
//
// Objects that live for two seconds by the system's clock, a thousand a round, stored one after the
// other within a few ticks of the coarse clock: each is read when two real seconds have passed since
// it was stored, and must be gone, not a moment later. A tenth of a second before, it must be there.
// Then an object whose date had passed when it was stored: it must be kept as expired. Ends with 1
// when something was wrong. Outside the tests, since those never wait for real time.
import CacheAside
import Foundation

func usage() -> Never {
  print("usage: latetest [--rounds N]")
  exit(2)
}

var rounds = 2
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  guard option == "--rounds", let number = arguments.popFirst().flatMap({ Int($0) }), number > 0
  else { usage() }
  rounds = number
}

let lifetime = Duration.seconds(2)
/// What a lifetime may end early by: two ticks, with room to spare.
let margin = Duration.milliseconds(30)
let clock = ContinuousClock()

/// Waits without giving the processor away: what wakes late would hide what is late.
func spin(until moment: ContinuousClock.Instant) {
  if clock.now.duration(to: moment) > .milliseconds(50) {
    let seconds = clock.now.duration(to: moment) / Duration.seconds(1) - 0.02
    Thread.sleep(forTimeInterval: seconds)
  }
  while clock.now < moment {}
}

/// Stores a thousand objects in one way and reads each when its time is over.
func run(_ name: String, _ store: (Int) async throws -> Void, _ read: (Int) -> Int?) async throws
  -> Int
{
  var begunAt: [ContinuousClock.Instant] = []
  var storedAt: [ContinuousClock.Instant] = []
  let start = clock.now
  for key in 0..<1_000 {
    // Twenty microseconds from one to the next: phases of several ticks of 4 ms.
    spin(until: start + .microseconds(20) * key)
    begunAt.append(clock.now)
    try await store(key)
    storedAt.append(clock.now)
  }
  spin(until: start + lifetime - .milliseconds(100))
  // On a busy machine the look itself may come late.
  let early = (0..<1_000).count { read($0) == nil && clock.now < begunAt[$0] + lifetime - margin }
  var late = 0
  for key in 0..<1_000 {
    spin(until: storedAt[key] + lifetime)
    if read(key) != nil { late += 1 }
  }
  print("\(name): \(late) of 1000 returned after two seconds, \(early) gone a tenth of one before")
  return late + early
}

var faults = 0
for _ in 0..<rounds {
  let objects = try Cache<String, Int>(name: "objects") { Memory() }
  faults += try await run("setObject") { key in
    objects.setObject(key, forKey: "\(key)", expires: .seconds(2))
  } _: {
    objects.object(forKey: "\($0)")
  }

  let loads = try Cache<Int, Int>(name: "loads", expiry: .seconds(2)) { Memory() }
  faults += try await run("cached") { key in
    _ = try await loads.cached(key) { key }
  } _: {
    loads[$0]
  }

  let idle = try Cache<Int, Int>(
    name: "idle",
    expiry: .idle(.seconds(2), max: .seconds(60))
  ) { Memory() }
  faults += try await run("idle") { key in
    idle[key] = key
  } _: {
    idle.peek($0)
  }

  let updated = try Cache<Int, Int>(name: "updated", expiry: .seconds(2)) { Memory() }
  faults += try await run("update") { key in
    updated[key] = 0
    try await updated.update(key) { $0 = key }
  } _: {
    updated[$0]
  }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "late-\(UUID().uuidString)"
)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let kept = try ObjectCache<Int>(name: "kept", directory: folder)
kept.setObject(1, forKey: "past", expires: .date(Date(timeIntervalSinceNow: -60)))
let isKept =
  kept.object(forKey: "past") == nil
  && kept.object(forKey: "past", returnExpiredObjectIfPresent: true) == 1
print("an object of a past date is \(isKept ? "kept as expired" : "not kept as expired")")
try FileManager.default.removeItem(at: folder)
exit(faults == 0 && isKept ? 0 : 1)
