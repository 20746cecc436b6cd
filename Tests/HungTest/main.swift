// hungtest [--keys N] [--rounds N] [--keep]
//
// Loads of many keys that hang until abandonAfter gives them up, round after round, each in other
// keys: the process must not grow, and nothing of a load may be left. `--keep` plants a fault: what
// the producers have captured stays alive. Ends with 1 when something was wrong.
import CacheAside
import CacheAsideTesting

func usage() -> Never {
  writeLine("usage: hungtest [--keys N] [--rounds N] [--keep]", to: 2)
  leave(2)
}

var keys = 10_000
var rounds = 10
var keeps = false
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch option {
  case "--keys": keys = arguments.popFirst().flatMap { Int($0) } ?? 0
  case "--rounds": rounds = arguments.popFirst().flatMap { Int($0) } ?? 0
  case "--keep": keeps = true
  default: usage()
  }
}
guard keys > 0, rounds >= 6 else { usage() }

let hung = try HungRounds(keys: keys, keeps: keeps)
var sizes: [Int] = []
for round in 1...rounds {
  let fault = try await hung.run(round)
  let size = residentKilobytes()
  print("round \(round): \(keys) hung loads given up, \(size.map { "\($0) kB" } ?? "no size")")
  if let fault {
    print(fault)
    leave(1)
  }
  if let size { sizes.append(size) }
}
// The lowest of three: what the allocator holds back for a while is no growth.
if let first = sizes.dropFirst().prefix(3).min(), let last = sizes.suffix(3).min() {
  let growth = last - first
  print("growth from the second round to the last: \(growth) kB")
  leave(growth < 1_024 ? 0 : 1)
}
print("the size of the process is not known here")
