/// What the command line asks for.
struct Options {
  static let usage = """
    usage: flaky-source [--seconds N] [--window N]
      --seconds N  how long the source is down, from 1 to 3600 seconds; 30 without it
      --window N   how long an expired value helps when its load fails, in seconds; a minute longer
                   than the source is down without it
    """

  var seconds = 30
  var window: Int?
  var showsHelp = false

  init(_ arguments: [String]) throws {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--seconds": seconds = try Self.number(after: argument, in: &arguments, 1...3_600)
      case "--window": window = try Self.number(after: argument, in: &arguments, 0...7_200)
      case "--help", "-h": showsHelp = true
      default: throw Complaint("unknown argument \(argument)")
      }
    }
  }

  private static func number(
    after option: String,
    in arguments: inout ArraySlice<String>,
    _ allowed: ClosedRange<Int>
  ) throws -> Int {
    guard let text = arguments.popFirst(), let number = Int(text), allowed.contains(number) else {
      throw Complaint(
        "\(option) needs a number from \(allowed.lowerBound) to \(allowed.upperBound)"
      )
    }
    return number
  }
}

/// Something to say to the user, in one sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
