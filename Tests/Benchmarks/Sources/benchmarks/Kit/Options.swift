/// What the command line asks for.
struct Options {
  static let usage = """
    usage: benchmarks [--json] [--filter PREFIX] [--traces DIR] [--gates FILE [--rows FILE]]
           benchmarks --charts DIR < LINES

      --json           one JSON object a line instead of a table
      --filter PREFIX  only the rows whose names start with PREFIX
      --traces DIR     the folder of NAME.txt.gz that hitratio rows replay
      --gates FILE     run the rows that FILE has limits for, and fail when one is exceeded
      --rows FILE      with --gates: rows that another program took, as JSON lines
      --charts DIR     draw the charts of a run, whose JSON lines are on standard input
      --help           this text

    Times are process CPU time; each is taken in turns with its baseline, and the ratio is the
    median of the pairs. Exit status: 0 if everything selected ran and no limit was exceeded,
    1 if not, 2 for arguments that make no sense.
    """

  /// What is run instead of rows.
  enum Special: Equatable {
    case help
    /// The charts of the run whose lines are on standard input.
    case charts(String)
    /// One figure for the process that started this one.
    case child(String)
  }

  var special: Special?
  var printsJSON = false
  /// Names that start with it run.
  var filter = ""
  /// The folder of `NAME.txt.gz`, if there is one.
  var traces: String?
  /// The file of limits that figures are held against.
  var gates: String?
  /// A file of rows that another program took.
  var rows: String?

  init(_ arguments: [String]) throws {
    var arguments = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else {
        throw BenchmarkFailure("\(option) needs a value; --help lists the options")
      }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": special = .help
      case "--json": printsJSON = true
      case "--filter": filter = try value(of: argument)
      case "--traces": traces = try value(of: argument)
      case "--charts": special = .charts(try value(of: argument))
      case "--gates": gates = try value(of: argument)
      case "--rows": rows = try value(of: argument)
      case ChildProcess.option: special = .child(try value(of: argument))
      default: throw BenchmarkFailure("unknown argument \(argument); --help lists the options")
      }
    }
    if rows != nil && gates == nil { throw BenchmarkFailure("--rows needs --gates") }
  }
}
