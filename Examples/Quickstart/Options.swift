/// What the command line asks for.
struct Options {
  static let usage = """
    usage: quickstart [--clear] [--json] PATH
      PATH     a file or folder; every regular file below it is digested and counted
      --clear  empty the cache first
      --json   print one JSON object instead of a table
    """

  var path = ""
  var clears = false
  var printsJSON = false
  var showsHelp = false

  init(_ arguments: [String]) throws {
    var paths: [String] = []
    var readsOptions = true
    for argument in arguments {
      switch argument {
      case "--" where readsOptions: readsOptions = false
      case "--clear" where readsOptions: clears = true
      case "--json" where readsOptions: printsJSON = true
      case "--help" where readsOptions, "-h" where readsOptions: showsHelp = true
      case _ where readsOptions && argument.hasPrefix("-") && argument.count > 1:
        throw Complaint("unknown option \(argument)")
      default: paths.append(argument)
      }
    }
    if showsHelp { return }
    guard let path = paths.first else { throw Complaint("PATH is missing") }
    guard paths.count == 1 else { throw Complaint("one PATH at a time, not \(paths.count)") }
    guard !path.isEmpty else { throw Complaint("PATH is empty") }
    self.path = path
  }
}

/// Something to say to the user, in one sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
