// How examples of pages and tests are compared.
//
// An example is a block of Swift under a heading of a page, or the lines between `// snippet: Heading`
// and `// end` in the test file of the page. White space does not count, and neither do imports, which
// stand at the top of a test file.

/// One example: where it stands and what it says.
struct Snippet: Hashable, CustomStringConvertible {
  let section: String
  let code: String

  init(section: String, lines: [Substring]) {
    self.section = section
    code =
      lines
      .filter { !$0.hasPrefix("import ") }
      .joined(separator: " ")
      .split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  var description: String { "in \"\(section)\": \(code)" }
}

/// The examples of a page.
struct PageSnippets {
  private(set) var snippets: [Snippet] = []
  /// The languages of all blocks, empty for a block that names none.
  private(set) var languages: Set<String> = []

  init(markdown: String) {
    var section = ""
    var block: (language: String, lines: [Substring])?
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        block?.lines.append(line)
        if block == nil && line.hasPrefix("#") {
          section = String(line.drop { $0 == "#" }.dropFirst())
        }
        continue
      }
      guard let finished = block else {
        block = (String(line.dropFirst(3)), [])
        continue
      }
      block = nil
      languages.insert(finished.language)
      if finished.language == "swift" {
        snippets.append(Snippet(section: section, lines: finished.lines))
      }
    }
    // A block without an end is none that a reader sees as one.
    if block != nil { languages.insert("") }
  }
}

/// The examples in the test file of a page.
struct TestSnippets {
  private(set) var snippets: [Snippet] = []

  init(swift: String) {
    var open: (section: String, lines: [Substring])?
    for line in swift.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// snippet: ") {
        open = (String(text.dropFirst("// snippet: ".count)), [])
      } else if text == "// end" {
        if let open { snippets.append(Snippet(section: open.section, lines: open.lines)) }
        open = nil
      } else {
        open?.lines.append(text)
      }
    }
  }
}
