// modeltest [--steps N] [--seed S] [--setup NAME] [--length N] [--folder DIR]
//
// Drives caches over every kind of store with random sequences of all verbs, and compares what they
// return with a dictionary that has times. Ends with 1 when something was returned that had been
// removed, something was missing that had been acknowledged, or an error came that the rules do not
// allow; then it prints the seed and the shortest failing sequence that it found.
import CacheAside
import CacheAsideTesting

func usage() -> Never {
  writeLine(
    "usage: modeltest [--steps N] [--seed S] [--setup NAME] [--length N] [--folder DIR]\nsetups: "
      + Setup.all.map(\.name).joined(separator: " "),
    to: 2
  )
  leave(2)
}

func number<Number: FixedWidthInteger>(_ text: String?) -> Number {
  guard let number = text.flatMap({ Number($0) }) else { usage() }
  return number
}

var runner = Runner()
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch option {
  case "--steps": runner.steps = number(arguments.popFirst())
  case "--seed": runner.seed = number(arguments.popFirst())
  case "--length": runner.length = number(arguments.popFirst())
  case "--setup":
    let name = arguments.popFirst()
    runner.setups = Setup.all.filter { $0.name == name }
    if runner.setups.isEmpty { usage() }
  case "--folder": runner.parent = arguments.popFirst() ?? "/tmp"
  default: usage()
  }
}
leave(await runner.run() ? 0 : 1)
