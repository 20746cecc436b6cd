/// What the command line asks for.
struct Options {
  static let usage = """
    usage: benchmarks [--json] [--filter PREFIX] [--traces DIR] [--gates]
           benchmarks --charts DIR < LINES
    """

  var printsJSON = false
  /// Whether figures are held against their limits.
  var isGate = false
  /// Names that start with it run.
  var filter = ""
  /// The folder of `NAME.txt.gz`, if there is one.
  var traces: String?
  /// Where to draw the charts of the run whose lines are on standard input; nothing is measured then.
  var charts: String?

  init(_ arguments: [String]) throws {
    var arguments = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else {
        throw BenchmarkFailure("\(option) needs a value\n\(Self.usage)")
      }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--json": printsJSON = true
      case "--gates": isGate = true
      case "--filter": filter = try value(of: argument)
      case "--traces": traces = try value(of: argument)
      case "--charts": charts = try value(of: argument)
      default: throw BenchmarkFailure("unknown argument \(argument)\n\(Self.usage)")
      }
    }
  }
}
