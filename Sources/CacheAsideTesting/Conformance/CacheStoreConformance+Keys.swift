// Checks: any text is a key, and different texts are different keys.
import CacheAside

extension CacheStoreConformance.Trial {
  func keyLengths() async throws {
    let lengths = [0, 1, 32, 64, 80, 254, 255, 256, 1_024, 4_096, 65_535, 65_536, 1_000_000]
    try await expectDistinct(
      lengths.map { String(repeating: "a", count: $0) } + [String(repeating: "日", count: 100)]
    )
  }

  func longKeysDiffer() async throws {
    for length in [255, 256, 4_096, 1_000_000] {
      let stem = String(repeating: "a", count: length - 1)
      try await expectDistinct([stem + "x", stem + "y", "x" + stem, stem])
    }
  }

  func unicodeKeys() async throws {
    try await expectDistinct([
      "é", "日本語", "עברית", "العربية", "हिन्दी", "ไทย", "👩‍👩‍👧", "👩👩👧", "🇩🇪", "🇩🇪🇫🇷", "ß", "ss", "ı", "i",
      "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "\u{202E}abc", "a\u{200B}", "ﬁ", "fi", "Ω", "ω", "ﾊ",
      "ハ",
    ])
  }

  func oddKeys() async throws {
    try await expectDistinct([
      "", ".", "..", "../../evil", "/etc/passwd", "/", "//", "a/b", "a\\b", "a//b", "a/./b",
      "a\u{0}b", "a", "a\u{0}", "a\n", "a\r", "a\r\n", "\t", " ", "a ", " a", "~", "CON", "NUL.txt",
      "https://h/p?q=1#f", "A.1", "A.2", "A", "A.", ".A", "%2e%2e", "%", "%%", "%2F", "a%2Fb",
      "%00",
      "*", "?", "[a]", "{a}", "{b}", "'", "\"", "'; DROP TABLE entries; --", "$HOME", "`id`", ":",
      "a:b",
      "\u{7F}", "\u{1B}[0m", "-rf", "\u{85}", "\u{2028}",
    ])
  }

  func keyCase() async throws {
    try await expectDistinct(["Key", "key", "KEY", "aaa", "aaG", "AAA", "É", "é", "ǅ", "ǆ"])
  }

  /// Each text has its own record: all are written, then all are read, then removed one by one.
  private func expectDistinct(_ texts: [String]) async throws {
    for (index, text) in texts.enumerated() {
      try await store.set(entry("value \(index)"), for: key(text))
    }
    for (index, text) in texts.enumerated() {
      try await expectEntry(entry("value \(index)"), for: key(text))
    }
    for (index, text) in texts.enumerated() {
      try await store.remove(key(text))
      try await expectEntry(nil, for: key(text), "after its removal")
      guard index + 1 < texts.count else { continue }
      let next = texts[index + 1]
      try await expectEntry(entry("value \(index + 1)"), for: key(next), "beside a removal")
    }
  }
}
