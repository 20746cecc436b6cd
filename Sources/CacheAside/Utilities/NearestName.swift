/// Finds the name that somebody who mistyped probably meant.
enum NearestName {
  /// The nearest candidate by edit distance; `nil` when none is close.
  static func of(_ name: String, in candidates: [String]) -> String? {
    let ranked = candidates.map {
      (name: $0, distance: distance(name.lowercased(), $0.lowercased()))
    }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, name.count / 3) ? best.name : nil
  }

  /// The Levenshtein distance of two names.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, character) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let substitution = diagonal + (character == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
