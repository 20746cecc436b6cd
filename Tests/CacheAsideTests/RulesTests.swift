import Foundation
import Testing

/// The table of the rules and their tests says what is there.
@Suite(.timeLimit(.minutes(60))) struct RulesTests {
  private static let rules =
    (1...5).map { "K\($0)" } + (1...10).map { "F\($0)" } + (1...4).map { "T\($0)" }
    + (1...7).map { "S\($0)" } + (1...3).map { "C\($0)" }

  /// The suites of each rule, in the order of the table.
  private func table() throws -> [(rule: String, suites: [String])] {
    let url = SourceFile.root.appending(path: "Documentation/Design/Rules.md")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, Self.rules.contains(cells[0]) else { return nil }
      return (cells[0], cells[2].components(separatedBy: ", "))
    }
  }

  /// The names of a file's tests.
  private func tests(in file: SourceFile) -> [Substring] {
    file.text.split(separator: "\n").filter { $0.contains("func `") }
  }

  private func names(_ rule: String, _ test: Substring) -> Bool {
    test.split { !$0.isLetter && !$0.isNumber }.contains(Substring(rule))
  }

  @Test func `every rule has tests that name it`() throws {
    let table = try table()
    #expect(table.map(\.rule) == Self.rules)
    let files = try SourceFile.all(below: "Tests/CacheAsideTests")
    for (rule, suites) in table {
      #expect(!suites.isEmpty)
      for suite in suites {
        let file = files.first { $0.stem == suite }
        let isNamed = file.map { tests(in: $0).contains { names(rule, $0) } } ?? false
        #expect(isNamed, "no test of \(suite) names \(rule)")
      }
    }
  }
}
