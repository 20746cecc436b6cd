// A Swift file as the architecture tests see it: its words, without comments and text literals.
import Foundation

struct SourceFile {
  /// A type that a file declares.
  struct Declaration {
    let name: String
    /// Whether it is `public`, and not inside another type's own braces.
    let isPublicTopLevel: Bool
  }

  /// The path from the package's folder.
  let path: String
  let text: String
  /// The text with comments and literals made blank; lines keep their numbers.
  let code: String
  /// Identifiers and keywords in order, each with the depth of braces it is in.
  let words: [(word: Substring, depth: Int)]

  /// The package's folder.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = CodeReader.code(of: text)
    words = Self.words(of: code)
  }

  /// Every Swift file below some folders of the package.
  static func all(below folders: String...) throws -> [SourceFile] {
    try folders.flatMap { folder in
      let base = root.appending(path: folder)
      return try FileManager.default.subpathsOfDirectory(atPath: base.path).sorted()
        .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
        .map { inner in
          let url = base.appending(path: inner)
          return SourceFile(
            path: "\(folder)/\(inner)",
            text: try String(contentsOf: url, encoding: .utf8)
          )
        }
    }
  }

  /// The folder below the module's, for example `Store`.
  var room: String { path.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }

  /// The file's name without its ending.
  var stem: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

  /// The modules it imports.
  var imports: [Substring] {
    zip(words, words.dropFirst()).filter { $0.0.word == "import" }.map(\.1.word)
  }

  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The types it declares at any depth, those that only this file can see aside.
  var declarations: [Declaration] {
    words.indices.dropLast().compactMap { index in
      let (word, depth) = words[index]
      let name = words[index + 1].word
      guard Self.kinds.contains(word), name.first?.isUppercase == true else { return nil }
      let modifiers = words[..<index].reversed()
        .prefix { $0.depth == depth && Self.modifiers.contains($0.word) }.map(\.word)
      if modifiers.contains("private") || modifiers.contains("fileprivate") { return nil }
      return Declaration(
        name: String(name),
        isPublicTopLevel: modifiers.contains("public") && word != "typealias"
          && (depth == 0 || depth == 1 && isInExtension(index))
      )
    }
  }

  /// All types it declares, which are meant when the file itself says their names.
  var ownNames: Set<String> {
    Set(
      zip(words, words.dropFirst()).filter { Self.kinds.contains($0.0.word) }.map {
        String($1.word)
      }
    )
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "open", "safe",
    "usableFromInline", "frozen", "unsafe",
  ]

  private func isInExtension(_ index: Int) -> Bool {
    let opener = words[..<index].last {
      $0.depth == 0 && ($0.word == "extension" || Self.kinds.contains($0.word))
    }
    return opener?.word == "extension"
  }

  /// The types and functions that may give the file its name: declared or extended here.
  var namesakes: Set<String> {
    var found = Set<String>()
    for (before, name) in zip(words, words.dropFirst())
    where Self.kinds.contains(before.word) || before.word == "extension" || before.word == "func" {
      found.insert(name.word.prefix(1).uppercased() + name.word.dropFirst())
    }
    // `extension A.B` gives its last part its file.
    for index in words.indices where words[index].word == "extension" {
      words[index...].dropFirst(2).prefix(2).forEach { found.insert(String($0.word)) }
    }
    return found
  }

  private static func words(of code: String) -> [(word: Substring, depth: Int)] {
    var found: [(word: Substring, depth: Int)] = []
    var depth = 0
    var start: String.Index?
    let bytes = code.utf8
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        start = start ?? index
        continue
      default: break
      }
      if let begin = start { found.append((code[begin..<index], depth)) }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      start = nil
    }
    return found
  }
}
