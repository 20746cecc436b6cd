import Foundation
import Testing

/// Fails when an example was changed in a page and not in its test, or the other way round.
@Suite struct PagesInStepTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every page of the repository, as a path from its root.
  static let pages: [String] = {
    let found = FileManager.default.enumerator(atPath: root.path + "/Documentation")
    let below = (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }
    return ["README.md", "Examples/README.md"] + below.map { "Documentation/" + $0 }.sorted()
  }()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The test file of a page: `Keys.md` has `KeysTests.swift`.
  private func testFile(of page: String) -> String {
    let name =
      page == "README.md" ? "Readme" : page.split(separator: "/").last.map(String.init) ?? ""
    return "Tests/DocumentationTests/\(name.replacingOccurrences(of: ".md", with: ""))Tests.swift"
  }

  @Test(arguments: pages)
  func `every example of a page is compiled as it stands there`(page: String) throws {
    let shown = PageSnippets(markdown: try text(page)).snippets
    guard !shown.isEmpty else { return }
    let compiled = TestSnippets(swift: try text(testFile(of: page))).snippets
    for snippet in shown where !compiled.contains(snippet) {
      Issue.record("\(page) shows what \(testFile(of: page)) does not compile, \(snippet)")
    }
    for snippet in compiled where !shown.contains(snippet) {
      Issue.record("\(testFile(of: page)) compiles what \(page) does not show, \(snippet)")
    }
    #expect(shown.count == compiled.count)
  }

  @Test(arguments: pages)
  func `every block names a language that is checked or is not Swift`(page: String) throws {
    let allowed: Set<String> = ["swift", "sh", "text", "json"]
    #expect(PageSnippets(markdown: try text(page)).languages.isSubset(of: allowed))
  }

  @Test(arguments: pages)
  func `every link to a file leads to one`(page: String) throws {
    let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
    for piece in try text(page).components(separatedBy: "](").dropFirst() {
      let target = piece.prefix { $0 != ")" && $0 != "#" }
      guard !target.isEmpty, !target.contains("://") else { continue }
      let path = folder.appendingPathComponent(String(target)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(target)")
    }
  }

  @Test(arguments: pages)
  func `every source file that a page names exists`(page: String) throws {
    let files = ["Sources", "Tests"].flatMap { folder in
      FileManager.default.enumerator(atPath: Self.root.appendingPathComponent(folder).path)?
        .allObjects as? [String] ?? []
    }
    let names = Set(files.compactMap { $0.split(separator: "/").last })
    for piece in try text(page).split(separator: "`") where piece.hasSuffix(".swift") {
      guard !piece.contains(where: \.isWhitespace), let name = piece.split(separator: "/").last
      else { continue }
      #expect(names.contains(name), "\(page) names \(piece)")
    }
  }

  @Test func `the first thirty lines of the README show code`() throws {
    let lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(30).contains("```swift"))
    #expect(lines.count <= 121)
  }

  @Test func `a page of the documentation has examples or is about the design`() throws {
    #expect(Self.pages.count > 10)
    let exempt = ["Examples/README.md", "Documentation/CHANGELOG.md"]
    for page in Self.pages where !exempt.contains(page) && !page.contains("/Design/") {
      #expect(!PageSnippets(markdown: try text(page)).snippets.isEmpty, "\(page) has no example")
    }
  }

  @Test func `a changed word, a missing block and another section are seen`() {
    let page = PageSnippets(
      markdown: "# A\n```swift\nimport X\nlet a = 1\n```\n## B\n```sh\nls\n```"
    )
    #expect(page.snippets == [Snippet(section: "A", lines: ["let  a =", "1"])])
    #expect(page.languages == ["swift", "sh"])
    let same = TestSnippets(swift: "// snippet: A\n  let a = 1\n// end\nlet b = 2")
    #expect(same.snippets == page.snippets)
    #expect(TestSnippets(swift: "// snippet: A\nlet a = 2\n// end").snippets != page.snippets)
    #expect(TestSnippets(swift: "// snippet: B\nlet a = 1\n// end").snippets != page.snippets)
    #expect(TestSnippets(swift: "let a = 1").snippets.isEmpty)
  }
}
