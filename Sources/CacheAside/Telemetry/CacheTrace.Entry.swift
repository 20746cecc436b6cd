extension CacheTrace {
  /// What one call did and got.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The feature.
    public let feature: String
    /// The name of the function's form, if it has one.
    public let table: String?
    /// The key in its namespace; without text for a change by selector.
    public let key: CacheKey
    /// What a change by selector is about; `nil` for calls of one key.
    public internal(set) var selector: CacheSelection?
    /// How the call used the cache: the name of its mode, `read` for one that never loads, or what a
    /// change does: `set`, `update`, `remove`, `expire` or `refresh`.
    public let mode: String
    /// The tiers that were asked, in order.
    public internal(set) var tiers: [TierAnswer] = []
    /// Which rule decided.
    public internal(set) var rule: CacheRule = .absent
    /// Where the value came from; `nil` when the call got none.
    public internal(set) var source: CacheSource?
    /// How long ago the value was stored; `nil` when the call got none.
    public internal(set) var age: Duration?
    /// How long the value stays fresh; `nil` for ever, and when the call got none.
    public internal(set) var remainingLife: Duration?
    /// Whether the call led a load or joined one; `nil` when it waited for none.
    public internal(set) var flight: FlightRole?
    /// How long it waited for that load.
    public internal(set) var waited: Duration?
    /// How long the producer took; `nil` when none ran for this call to its end.
    public internal(set) var produced: Duration?
    /// What the producer threw, attempt after attempt.
    public internal(set) var producerErrors: [String] = []
    /// What the call threw.
    public internal(set) var error: String?
    /// Why a load began in the background; `nil` when none did.
    public internal(set) var refresh: CacheRule?
    /// The tags of the entries that were found, whose invalidation was checked.
    public internal(set) var tags: [Tag] = []
    /// The tiers that took the value.
    public internal(set) var storedIn: [String] = []
    /// The tiers that did not: it was superseded meanwhile, too large, or the store failed.
    public internal(set) var notStoredIn: [String] = []
    /// How long the call took.
    public internal(set) var took: Duration = .zero
    /// Which batch call of the trace asked for the key, counted from 1; `nil` for a call of one key.
    public internal(set) var batch: Int?
    /// Whether the function of a batch left the key's id out: there is no value.
    public internal(set) var isAbsent = false

    init(feature: String, table: String?, key: CacheKey, mode: String) {
      self.feature = feature
      self.table = table
      self.key = key
      self.mode = mode
    }

    /// A few lines, with a hash instead of the key.
    public var description: String { text(showsKey: false) }

    /// A few lines.
    ///
    /// - Parameter showsKey: whether to show key and tags, which may hold what must not be in a log.
    /// - Returns: the lines, without an end of line.
    public func text(showsKey: Bool) -> String {
      var head = feature
      if let table { head += " \(table)" }
      if let selector {
        head += " " + selector.text(showsSubjects: showsKey)
      } else {
        head += " \(showsKey ? key.text : key.hashed)"
      }
      if mode != "default" { head += " [\(mode)]" }
      if let batch { head += " in batch \(batch)" }
      head += ": " + outcome + ", rule \(rule), \(took.brief)"
      var lines = [head]
      if !tiers.isEmpty { lines.append(tiers.map(\.description).joined(separator: "; ")) }
      let load = loadText
      if !load.isEmpty { lines.append(load) }
      if !tags.isEmpty {
        lines.append(
          "tags "
            + (showsKey
              ? tags.map(\.description).joined(separator: ", ")
              : "\(tags.count)")
        )
      }
      return lines.joined(separator: "\n  ")
    }

    private var outcome: String {
      if let error { return "threw \(error)" }
      guard let source else { return rule == .change ? "done" : "nothing" }
      if isAbsent { return "absent, \(source)" }
      return source.description + (age.map { $0 > .zero ? ", \($0.brief) old" : "" } ?? "")
    }

    private var loadText: String {
      var parts: [String] = []
      if let flight {
        parts.append("\(flight.rawValue) a load" + (waited.map { ", waited \($0.brief)" } ?? ""))
      }
      for error in producerErrors { parts.append("producer threw \(error)") }
      if let produced { parts.append("produced in \(produced.brief)") }
      if !storedIn.isEmpty { parts.append("stored in " + storedIn.joined(separator: ", ")) }
      if !notStoredIn.isEmpty { parts.append("not in " + notStoredIn.joined(separator: ", ")) }
      if let refresh { parts.append("loads behind by \(refresh)") }
      return parts.joined(separator: "; ")
    }
  }
}
