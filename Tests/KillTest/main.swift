// killtest drive [--rounds N] [--seed S] [--naive]
// killtest work FOLDER LIMIT naive|sound IDENTITY ROUND SEED
//
// Kills two processes at random moments while they write to one folder, and looks whether what they
// acknowledged is there afterwards. `--naive` plants a fault: records are overwritten in place. Ends
// with 1 when something was wrong.
import CacheAside

func usage() -> Never {
  writeLine("usage: killtest drive [--rounds N] [--seed S] [--naive]", to: 2)
  leave(2)
}

func number<Number: FixedWidthInteger>(_ text: String?) -> Number {
  guard let number = text.flatMap({ Number($0) }) else { usage() }
  return number
}

var arguments = CommandLine.arguments.dropFirst()
switch arguments.popFirst() {
case "drive":
  var driver = Driver()
  while let option = arguments.popFirst() {
    switch option {
    case "--rounds": driver.rounds = number(arguments.popFirst())
    case "--seed": driver.seed = number(arguments.popFirst())
    case "--naive": driver.isNaive = true
    default: usage()
    }
  }
  let violations = try await driver.run()
  print(violations == 0 ? "nothing wrong" : "\(violations) violations")
  leave(violations == 0 ? 0 : 1)
case "work":
  let words = Array(arguments)
  guard words.count == 6 else { usage() }
  let setup = Setup(folder: words[0], limit: number(words[1]), isNaive: words[2] == "naive")
  let worker = Worker(
    cache: try setup.open(),
    identity: number(words[3]),
    round: number(words[4]),
    seed: number(words[5]),
    mayEvict: setup.limit > 0
  )
  try await worker.run()
default: usage()
}
