/// Makes comments and text literals blank; what an interpolation says stays.
///
/// Knows line and nested block comments, and plain, multi-line and raw literals; the sources have no
/// regular-expression literals.
struct CodeReader {
  private let text: [UInt8]
  private var place = 0
  private var output: [UInt8] = []

  private init(_ text: String) { self.text = Array(text.utf8) }

  /// The text without comments and literals; every line keeps its number.
  static func code(of text: String) -> String {
    var reader = CodeReader(text)
    reader.readCode(untilParenthesis: false)
    return String(decoding: reader.output, as: UTF8.self)
  }

  private func sees(_ mark: StaticString, after offset: Int = 0) -> Bool {
    let start = place + offset
    guard start + mark.utf8CodeUnitCount <= text.count else { return false }
    return mark.withUTF8Buffer { bytes in
      for index in bytes.indices where unsafe bytes[index] != text[start + index] { return false }
      return true
    }
  }

  private mutating func blank(_ count: Int) {
    for byte in text[place..<min(place + count, text.count)] {
      output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
    }
    place += count
  }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while place < text.count {
      if sees("//") {
        blank(text[place...].prefix { $0 != UInt8(ascii: "\n") }.count)
      } else if sees("/*") {
        readComment()
      } else if let hashes = literalHashes() {
        readLiteral(hashes)
      } else {
        if sees("(") { depth += 1 }
        if sees(")") { depth -= 1 }
        if untilParenthesis && depth < 0 { return blank(1) }
        output.append(text[place])
        place += 1
      }
    }
  }

  private mutating func readComment() {
    var depth = 0
    repeat {
      if sees("/*") { depth += 1 }
      if sees("*/") { depth -= 1 }
      blank(sees("/*") || sees("*/") ? 2 : 1)
    } while depth > 0 && place < text.count
  }

  /// How many `#` precede a literal's quote; `nil` when no literal begins here.
  private func literalHashes() -> Int? {
    var hashes = 0
    while sees("#", after: hashes) { hashes += 1 }
    return sees("\"", after: hashes) ? hashes : nil
  }

  private func seesHashes(_ count: Int, after offset: Int) -> Bool {
    (0..<count).allSatisfy { sees("#", after: offset + $0) }
  }

  private mutating func readLiteral(_ hashes: Int) {
    let isLong = sees("\"\"\"", after: hashes)
    let quotes = isLong ? 3 : 1
    blank(hashes + quotes)
    while place < text.count {
      if isLong ? sees("\"\"\"") : sees("\""), seesHashes(hashes, after: quotes) {
        return blank(quotes + hashes)
      }
      if sees("\\"), seesHashes(hashes, after: 1) {
        blank(1 + hashes)
        let interpolates = sees("(")
        blank(1)
        if interpolates { readCode(untilParenthesis: true) }
      } else {
        blank(1)
      }
    }
  }
}
