// gzip -dc NAME.txt.gz | policy-core [--json] [--name NAME] [--cost-limit] SIZE...
//
// Replays the keys on standard input, one decimal number a line, through the core of the eviction
// policy and prints its hit ratio in percent at each size, with hits and requests. `--cost-limit` limits the cost of entries
// that cost one each instead of their number, which must not change a figure.
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

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--json": printsJSON = true
  case "--cost-limit": limitsCost = true
  case "--name": name = arguments.popFirst() ?? name
  default:
    guard let size = Int(argument), size > 0 else {
      print("usage: policy-core [--json] [--name NAME] [--cost-limit] SIZE... < keys")
      exit(2)
    }
    sizes.append(size)
  }
}

let trace = Trace.read()
guard !trace.requests.isEmpty else {
  print("policy-core: no keys on standard input")
  exit(2)
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
