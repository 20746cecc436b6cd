// Statistics in the text form of OpenMetrics 1.0
// (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md). The lines of one
// metric family stand together, whatever the number of features; a counter's sample ends in `_total`,
// a unit is the end of its family's name; the text ends with `# EOF`. Called by `Caches` and
// `CacheStatistics`.

/// Builds the text.
struct OpenMetricsText {
  /// The statistics of one feature.
  struct Feature {
    let name: String
    let statistics: CacheStatistics
  }

  typealias Labels = [(name: String, value: String)]
  private typealias Sample = (labels: Labels, value: String)

  private let features: [Feature]
  private var text = ""

  init(_ features: [Feature]) { self.features = features }

  /// The whole text.
  mutating func make() -> String {
    text = ""
    addLookups()
    addLoads()
    addMemory()
    addTiers()
    text += "# EOF\n"
    return text
  }

  private mutating func addLookups() {
    counters("lookups", "Lookups by what they came to.") { statistics in
      [
        ("hit", statistics.hits), ("miss", statistics.misses),
        ("coalesced", statistics.coalesced), ("stale", statistics.staleServed),
      ].map { ([("result", $0.0)], $0.1) }
    }
    counter("stale_fallbacks", "Loads answered with an expired value.", \.staleFallbacks)
  }

  private mutating func addLoads() {
    counter("loads", "Producer runs that ended with a value.", \.loads)
    counter("load_failures", "Producer runs that ended with an error.", \.loadFailures)
    family("load_seconds", "counter", "The time that producers took.", unit: "seconds")
    for feature in features {
      sample("load_seconds_total", feature, [], Self.seconds(feature.statistics.loadTime))
    }
    counter("abandoned_loads", "Loads given up after abandonAfter.", \.abandonedLoads)
    counter("timeouts", "Calls that waited as long as hardTimeout.", \.timeouts)
    counter("rests", "Failed loads after which a producer rests.", \.rests)
    counter("breaker_openings", "Breakers that opened.", \.breakerOpenings)
    counter("held_back_loads", "Loads that an open breaker held back.", \.heldBackLoads)
    counter("refreshes", "Loads that began in the background.", \.refreshes)
    counter("refresh_failures", "Loads in the background without a value.", \.refreshFailures)
    gauge("loads_running", "Loads running now.") { $0.flights }
    gauge("callers_waiting", "Callers that wait for a load now.") { $0.waiters }
  }

  private mutating func addMemory() {
    gauge("memory_entries", "Entries in memory now.") { $0.entries }
    gauge("memory_cost", "The cost of the entries in memory now.") { $0.cost }
    gauge("memory_tables", "Memory tables in use.") { $0.tables }
    counters("memory_removals", "Values that left memory, by reason.") { statistics in
      RemovalReason.allCases.map {
        ([("reason", "\($0)")], statistics.removals[$0] ?? 0)
      }
    }
    counter("memory_rejected", "Values too large for memory.", \.rejected)
    counter("encode_failures", "Values that could not be encoded.", \.encodeFailures)
    counter("dropped_notices", "Removals that no listener was told.", \.droppedNotices)
    counter("dropped_events", "Events that no stream took.", \.droppedEvents)
  }

  private mutating func addTiers() {
    tiers("tier_hits", "Reads of a tier that found a fresh value.", \.hits)
    tiers("tier_misses", "Reads of a tier that found none.", \.misses)
    tiers("tier_read_failures", "Reads of a tier that failed.", \.readFailures)
    tiers("tier_write_failures", "Writes to a tier that failed.", \.writeFailures)
    tiers("tier_damaged_records", "Records that were damaged.", \.damaged)
    tiers("tier_decode_failures", "Records that could not be decoded.", \.decodeFailures)
    tiers("tier_schema_changes", "Records of another structure of their type.", \.schemaChanges)
  }

  // MARK: Families

  private mutating func counter(
    _ name: String,
    _ help: String,
    _ value: KeyPath<CacheStatistics, UInt64>
  ) {
    counters(name, help) { [([], $0[keyPath: value])] }
  }

  private mutating func tiers(
    _ name: String,
    _ help: String,
    _ value: KeyPath<CacheStatistics.Tier, UInt64>
  ) {
    counters(name, help) { statistics in
      // Two stores may have one name; a sample has labels of its own.
      var sums: [(tier: String, value: UInt64)] = []
      for tier in statistics.tiers {
        if let index = sums.firstIndex(where: { $0.tier == tier.name }) {
          sums[index].value &+= tier[keyPath: value]
        } else {
          sums.append((tier.name, tier[keyPath: value]))
        }
      }
      return sums.map { ([("tier", $0.tier)], $0.value) }
    }
  }

  private mutating func counters(
    _ name: String,
    _ help: String,
    _ values: (CacheStatistics) -> [(labels: Labels, value: UInt64)]
  ) {
    family(name, "counter", help)
    for feature in features {
      for (labels, value) in values(feature.statistics) {
        sample(name + "_total", feature, labels, "\(value)")
      }
    }
  }

  private mutating func gauge(
    _ name: String,
    _ help: String,
    _ value: (CacheStatistics) -> Int
  ) {
    family(name, "gauge", help)
    for feature in features { sample(name, feature, [], "\(value(feature.statistics))") }
  }

  private mutating func family(
    _ name: String,
    _ type: String,
    _ help: String,
    unit: String? = nil
  ) {
    text += "# TYPE cacheaside_\(name) \(type)\n"
    if let unit { text += "# UNIT cacheaside_\(name) \(unit)\n" }
    text += "# HELP cacheaside_\(name) \(Self.escaped(help))\n"
  }

  private mutating func sample(
    _ name: String,
    _ feature: Feature,
    _ labels: Labels,
    _ value: String
  ) {
    let all = [("feature", feature.name)] + labels
    let list = all.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += "cacheaside_\(name){\(list)} \(value)\n"
  }

  // MARK: Values

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Seconds as a decimal number, exact to the nanosecond.
  private static func seconds(_ duration: Duration) -> String {
    let nanoseconds = UInt64(max(0, duration.wholeNanoseconds))
    let rest = String(nanoseconds % 1_000_000_000)
    let digits = String(repeating: "0", count: 9 - rest.count) + rest
    return "\(nanoseconds / 1_000_000_000).\(digits)"
  }
}
