// gzip -dc NAME.txt.gz | policy-core [--json] [--name NAME] [--cost-limit] SIZE...
// policy-core --zipf KEYS REQUESTS SEED [--json] [--name NAME] [--cost-limit] SIZE...
//
// gzip -dc NAME.txt.gz | policy-core --costs uniform|pareto|two|rank [--name NAME] SIZE...
//
// Replays the keys on standard input, one decimal number a line, through the core of the eviction
// policy and prints its hit ratio in percent at each size, with hits and requests. `--cost-limit` limits the cost of entries
// that cost one each instead of their number, which must not change a figure. `--zipf` replays a
// generated trace instead. `--costs` gives keys different costs and limits their sum to that of as many
// keys of the mean cost; it prints size, limit, hits, requests, and what the hits and the requests cost.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

var name = "stdin"
var printsJSON = false
var limitsCost = false
var sizes: [Int] = []
var zipf: ZipfTrace?
var distribution: CostDistribution?

/// Ends the program; it was called in a wrong way.
func refuse(_ reason: String) -> Never {
  print("policy-core: \(reason); see Tests/PolicyCore/main.swift")
  exit(2)
}

func number(_ text: String?) -> Int {
  guard let number = text.flatMap({ Int($0) }), number > 0 else {
    refuse("\(text ?? "nothing") is no number")
  }
  return number
}

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--json": printsJSON = true
  case "--cost-limit": limitsCost = true
  case "--costs":
    distribution = arguments.popFirst().flatMap { CostDistribution(rawValue: $0) }
    if distribution == nil { refuse("there are no such costs") }
  case "--name": name = arguments.popFirst() ?? name
  case "--zipf":
    zipf = ZipfTrace(
      keys: number(arguments.popFirst()),
      count: number(arguments.popFirst()),
      seed: UInt64(number(arguments.popFirst()))
    )
  default: sizes.append(number(argument))
  }
}

let trace = zipf.map { Trace($0.requests) } ?? Trace.read()
if trace.requests.isEmpty { refuse("there are no keys on standard input") }
if let distribution {
  let costs = distribution.costs(of: trace)
  let total = costs.reduce(0, +)
  let asked = trace.requests.reduce(0) { $0 + costs[$1] }
  for size in sizes {
    let limit = size * total / costs.count
    var simulation = Simulation(costLimit: limit, costs: costs)
    var (hits, saved) = (0, 0)
    for key in trace.requests where simulation.request(key, hash: trace.hashes[key]) {
      hits += 1
      saved += costs[key]
    }
    print(name, distribution.rawValue, size, limit, hits, trace.requests.count, saved, asked)
  }
  exit(0)
}
for size in sizes {
  var simulation = Simulation(
    capacity: size,
    keys: trace.hashes.count,
    limitsCost: limitsCost
  )
  var hits = 0
  for key in trace.requests where simulation.request(key, hash: trace.hashes[key]) { hits += 1 }
  let value = 100 * Double(hits) / Double(trace.requests.count)
  let row = "policycore.\(name).\(size)"
  if printsJSON {
    print(
      #"{"name": "\#(row)", "value": \#(value), "unit": "percent", "baseline": 0, "ratio": null}"#
    )
  } else {
    print(row, value, hits, trace.requests.count)
  }
}
