/// Reads OpenMetrics 1.0 text and says what is wrong with it.
struct OpenMetricsValidator {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// A sample's value by its name and labels, as they are written.
  private(set) var samples: [String: Double] = [:]

  private var family = ""
  private var type = ""
  private var unit = ""
  private var seen: Set<String> = []

  /// - Throws: `Failure` for text that the specification does not allow.
  init(_ text: String) throws {
    guard text.hasSuffix("\n# EOF\n") || text == "# EOF\n" else {
      throw Failure(description: "the text does not end with # EOF and an end of line")
    }
    for line in text.dropLast("# EOF\n".count).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    .dropLast() {
      do { try read(line) } catch { throw Failure(description: "\(error) in \(line)") }
    }
  }

  private mutating func read(_ line: Substring) throws {
    guard line.hasPrefix("#") else { return try readSample(line) }
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == "#" else { throw Failure(description: "no metadata") }
    let name = String(words[2])
    try checkName(words[2])
    switch words[1] {
    case "TYPE":
      guard seen.insert(name).inserted else { throw Failure(description: "family in two places") }
      family = name
      type = String(words[3])
      unit = ""
      guard ["counter", "gauge"].contains(type) else { throw Failure(description: "unknown type") }
      if name.hasSuffix("_total") { throw Failure(description: "a family named _total") }
    case "UNIT":
      unit = String(words[3])
      guard name == family, name.hasSuffix("_" + unit) else {
        throw Failure(description: "the unit is not the end of the name")
      }
    case "HELP":
      guard name == family else { throw Failure(description: "help of another family") }
      _ = try unescaped(words[3])
    default: throw Failure(description: "unknown metadata")
    }
  }

  private mutating func readSample(_ line: Substring) throws {
    guard let open = line.firstIndex(of: "{"), let close = line.lastIndex(of: "}") else {
      throw Failure(description: "no labels")
    }
    let name = line[..<open]
    try checkName(name)
    guard name == family + (type == "counter" ? "_total" : "") else {
      throw Failure(description: "a sample outside its family, or without its suffix")
    }
    try checkLabels(line[line.index(after: open)..<close])
    let rest = line[line.index(after: close)...]
    guard rest.first == " ", let value = Double(rest.dropFirst()), value >= 0 || type == "gauge"
    else { throw Failure(description: "no value") }
    guard samples.updateValue(value, forKey: String(line[...close])) == nil else {
      throw Failure(description: "the same sample twice")
    }
  }

  private func checkName(_ name: Substring) throws {
    let isFine =
      name.first?.isNumber == false
      && name.utf8.allSatisfy { byte in
        (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || byte == 0x5F
      }
    if !isFine { throw Failure(description: "a name with other characters") }
  }

  private func checkLabels(_ text: Substring) throws {
    var rest = text
    var names: Set<Substring> = []
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "=") else { throw Failure(description: "no label") }
      let name = rest[..<equals]
      try checkName(name)
      guard names.insert(name).inserted else { throw Failure(description: "a label twice") }
      rest = rest[rest.index(after: equals)...]
      guard rest.first == "\"" else { throw Failure(description: "a label without quotes") }
      rest = rest.dropFirst()
      var end = rest.startIndex
      while end < rest.endIndex, rest[end] != "\"" {
        if rest[end] == "\\" { rest.formIndex(after: &end) }
        guard end < rest.endIndex else { throw Failure(description: "an open escape") }
        rest.formIndex(after: &end)
      }
      guard end < rest.endIndex else { throw Failure(description: "an open label") }
      _ = try unescaped(rest[..<end])
      rest = rest[rest.index(after: end)...]
      if rest.isEmpty { return }
      guard rest.first == "," else { throw Failure(description: "labels without a comma") }
      rest = rest.dropFirst()
      if rest.isEmpty { throw Failure(description: "a comma at the end") }
    }
  }

  private func unescaped(_ text: Substring) throws -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        guard "\\\"n".contains(character) else { throw Failure(description: "an unknown escape") }
        result.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    if isEscaped { throw Failure(description: "an open escape") }
    return result
  }
}
