/// What one worker's keys may hold, by its reports.
struct Ledger {
  /// What a key holds: a version, or nothing.
  typealias Content = Int?

  /// What is wrong with a key.
  enum Fault: String, CaseIterable {
    /// The value belongs to another key or writer.
    case wrong
    /// The value or its record is not whole.
    case torn
    /// An older version than the acknowledged one.
    case stale
    /// A value after its removal was acknowledged.
    case resurrected
    /// Nothing where a value was acknowledged.
    case lost
  }

  private var acknowledged: [String: Content] = [:]
  private var begun: [String: Content] = [:]
  private(set) var acknowledgements = 0

  /// Operations that were neither acknowledged nor known to have failed.
  var inFlight: Int { begun.count }

  /// Takes a line of the worker's; returns whether it says that an operation begins.
  mutating func take(_ words: [Substring]) -> Bool {
    guard words.count == 4, let version = Int(words[3]) else { return false }
    let key = String(words[2])
    let content: Content = words[1] == "s" ? version : nil
    if words[0] == "b" {
      begun.updateValue(content, forKey: key)
      return true
    }
    begun.removeValue(forKey: key)
    acknowledged.updateValue(content, forKey: key)
    acknowledgements += 1
    return false
  }

  /// Judges what a key holds after the kill, and takes it as the truth from now on.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - found: the version, `nil` for nothing.
  ///   - mayEvict: whether nothing is always allowed.
  /// - Returns: what is wrong with it, if anything.
  mutating func judge(_ key: String, _ found: Content, mayEvict: Bool) -> Fault? {
    let expected = acknowledged[key] ?? nil
    let pending = begun.removeValue(forKey: key)
    acknowledged.updateValue(found, forKey: key)
    if found == expected { return nil }
    if let pending, found == pending { return nil }
    guard let found else { return mayEvict ? nil : .lost }
    guard expected != nil else { return .resurrected }
    return found < expected ?? 0 ? .stale : .wrong
  }

  /// Starts the count of a new round.
  mutating func beginRound() { acknowledgements = 0 }
}
