/// The entries of one batch call in a few lines: what its keys came to, counted, and what was done for
/// them.
struct BatchText: CustomStringConvertible {
  /// Of how many keys at most the keys are named.
  private static let mostNamed = 8

  /// One a key; there is at least one.
  let entries: [CacheTrace.Entry]
  let showsKeys: Bool

  var description: String {
    guard let first = entries.first else { return "" }
    var head = first.feature
    head += " batch of \(entries.count) key\(entries.count == 1 ? "" : "s")"
    if first.mode != "default" { head += " [\(first.mode)]" }
    let took = entries.map(\.took).max() ?? .zero
    head += ": " + outcomes.joined(separator: "; ") + "; \(took.brief)"
    return ([head] + [tiers, loads].filter { !$0.isEmpty }).joined(separator: "\n  ")
  }

  /// What the keys came to.
  private var outcomes: [String] {
    grouped(entries) { "\($0.outcomeInBrief), rule \($0.rule)" }.map { outcome, group in
      let text = "\(group.count) \(outcome)"
      guard entries.count <= Self.mostNamed else { return text }
      return text + " (\(group.map(name).joined(separator: " ")))"
    }
  }

  /// What the tiers answered.
  private var tiers: String {
    grouped(entries.flatMap(\.tiers)) { $0.tier }.map { tier, answers in
      let findings = grouped(answers) { "\($0.finding)" }.map { "\($1.count) \($0)" }
      return "\(tier) " + findings.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  /// What was loaded, stored, and begun behind.
  private var loads: String {
    var parts: [String] = []
    let (led, joined) = (count { $0.flight == .led }, count { $0.flight == .joined })
    if led > 0 { parts.append("led \(led)") }
    if joined > 0 { parts.append("joined \(joined)") }
    for (error, group) in grouped(entries.flatMap(\.producerErrors), by: { $0 }) {
      parts.append("producer threw \(error) for \(group.count)")
    }
    if let longest = entries.compactMap(\.produced).max() {
      parts.append("produced \(count { $0.produced != nil }) in \(longest.brief)")
    }
    for (tier, group) in grouped(entries.flatMap(\.storedIn), by: { $0 }) {
      parts.append("stored \(group.count) in \(tier)")
    }
    for (tier, group) in grouped(entries.flatMap(\.notStoredIn), by: { $0 }) {
      parts.append("\(group.count) not in \(tier)")
    }
    for (rule, group) in grouped(entries.compactMap(\.refresh), by: { "\($0)" }) {
      parts.append("loads \(group.count) behind by \(rule)")
    }
    return parts.joined(separator: "; ")
  }

  private func name(_ entry: CacheTrace.Entry) -> String {
    showsKeys ? entry.key.text : entry.key.hashed
  }

  private func count(_ matches: (CacheTrace.Entry) -> Bool) -> Int {
    entries.reduce(0) { $0 + (matches($1) ? 1 : 0) }
  }

  /// The elements by a text, in the order in which the texts come first.
  private func grouped<Element>(
    _ elements: [Element],
    by text: (Element) -> String
  ) -> [(String, [Element])] {
    var places: [String: Int] = [:]
    var groups: [(String, [Element])] = []
    for element in elements {
      let text = text(element)
      if let place = places[text] {
        groups[place].1.append(element)
      } else {
        places[text] = groups.count
        groups.append((text, [element]))
      }
    }
    return groups
  }
}

extension CacheTrace.Entry {
  /// What the call came to, without its age.
  fileprivate var outcomeInBrief: String {
    if let error { return "threw \(error)" }
    guard let source else { return "nothing" }
    return isAbsent ? "absent, \(source)" : source.description
  }
}
