// killtest drive [--rounds N] [--seed S] [--naive]
// killtest work FOLDER LIMIT naive|sound IDENTITY ROUND SEED
// killtest ledger [--seconds N]
// killtest ledger-work FOLDER SECONDS NAME
// killtest ledger-cost [--removals N]
//
// Kills two processes at random moments while they write to one folder, and looks whether what they
// acknowledged is there afterwards. `ledger` removes by tags from several stores at once and looks
// whether anything else is lost; `ledger-cost` prints what a removal reads and writes. `--naive` plants a fault: records are overwritten in place. Ends
// with 1 when something was wrong.
import CacheAside

func usage() -> Never {
  writeLine(
    "usage: killtest drive [--rounds N] [--seed S] [--naive] | ledger [--seconds N] | "
      + "ledger-cost [--removals N]",
    to: 2
  )
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
case "ledger":
  var seconds = 60
  while let option = arguments.popFirst() {
    guard option == "--seconds" else { usage() }
    seconds = number(arguments.popFirst())
  }
  leave(try await LedgerDriver.run(seconds: seconds) == 0 ? 0 : 1)
case "ledger-work":
  let words = Array(arguments)
  guard words.count == 3 else { usage() }
  print(
    try await LedgerDriver.work(folder: words[0], seconds: number(words[1]), name: words[2]).line
  )
case "ledger-cost":
  var removals = 50_000
  while let option = arguments.popFirst() {
    guard option == "--removals" else { usage() }
    removals = number(arguments.popFirst())
  }
  leave(try LedgerDriver.cost(most: removals) == 0 ? 0 : 1)
default: usage()
}
