// One run of one check: the store under test and the words to speak about it.
import CacheAside
import Testing

extension CacheStoreConformance {
  struct Trial: Sendable {
    let kit: CacheStoreConformance
    let store: Store
    let check: Check
    let sourceLocation: SourceLocation
    let events = EventRecorder<CacheEvent.Kind>()
    let complaints = Tally()

    static var home: Namespace { Namespace("conformance") }

    var clock: ManualClock { kit.clock }

    func attach(_ store: Store) {
      let events = events
      store.attach(
        StoreContext(time: clock.timeSource) { kind, _, _ in events.record(kind) }
      )
    }

    /// A key of exactly this text.
    func key(_ text: String, in namespace: Namespace = home) -> CacheKey {
      CacheKey(stringLiteral: text).within(namespace)
    }

    /// An entry that is stored now.
    func entry(
      _ payload: [UInt8]?,
      freshFor seconds: Int64? = nil,
      keptFor keptSeconds: Int64? = nil
    ) -> CacheEntry {
      let now = clock.wallMicroseconds
      return CacheEntry(
        payload: payload,
        codec: .raw,
        type: UInt64(0x1234_5678_9ABC_DEF0),
        created: now,
        freshUntil: seconds.map { now + $0 * 1_000_000 } ?? .max,
        keptUntil: keptSeconds.map { now + $0 * 1_000_000 } ?? .max
      )
    }

    func entry(
      _ text: String,
      freshFor seconds: Int64? = nil,
      keptFor keptSeconds: Int64? = nil
    ) -> CacheEntry {
      entry(Array(text.utf8), freshFor: seconds, keptFor: keptSeconds)
    }

    // MARK: Complaints

    /// Records an issue unless something holds; of one check the first five are enough.
    func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
      guard !holds else { return }
      let count = complaints.increment()
      guard count <= 6 else { return }
      let text = count < 6 ? complaint() : "further complaints are not shown"
      Issue.record(
        "store \"\(store.name)\", check \"\(check.rawValue)\": \(text)",
        sourceLocation: sourceLocation
      )
    }

    func expectEntry(_ expected: CacheEntry?, for key: CacheKey, _ when: String = "") async throws {
      expectEqual(try await store.entry(for: key), expected, key, when)
    }

    func expectEqual(
      _ found: CacheEntry?,
      _ expected: CacheEntry?,
      _ key: CacheKey,
      _ when: String = ""
    ) {
      expect(
        found == expected,
        name(of: key) + (when.isEmpty ? "" : ", \(when)") + ": " + difference(found, expected)
      )
    }

    func expectNoDamage() {
      expect(!events.events.contains(.recordDamaged), "reported a record of its own as damaged")
    }

    func name(of key: CacheKey) -> String {
      let text = key.text.unicodeScalars.prefix(40).map { $0.escaped(asASCII: true) }.joined()
      let count = key.text.unicodeScalars.count
      return "key \"\(text)\"" + (count > 40 ? "… of \(count) scalars" : "")
    }

    private func difference(_ found: CacheEntry?, _ expected: CacheEntry?) -> String {
      guard let expected else { return "expected nothing, found an entry" }
      guard let found else { return "expected an entry, found nothing" }
      var parts: [String] = []
      func compare<Field: Equatable>(_ name: String, _ field: KeyPath<CacheEntry, Field>) {
        let (one, other) = (found[keyPath: field], expected[keyPath: field])
        if one != other { parts.append("\(name) is \(one), should be \(other)") }
      }
      if found.payload?.count != expected.payload?.count {
        parts.append("payload is \(size(found.payload)), should be \(size(expected.payload))")
      } else if let one = found.payload, let other = expected.payload,
        let index = one.indices.first(where: { one[$0] != other[$0] })
      {
        parts.append("payload of \(one.count) bytes differs at byte \(index)")
      }
      compare("codec", \.codec.rawValue)
      compare("type", \.type)
      compare("schema", \.schema)
      compare("created", \.created)
      compare("freshUntil", \.freshUntil)
      compare("keptUntil", \.keptUntil)
      compare("isExpiredByHand", \.isExpiredByHand)
      if found.metadata != expected.metadata { parts.append("metadata differs") }
      return parts.joined(separator: "; ")
    }

    private func size(_ payload: [UInt8]?) -> String {
      payload.map { "\($0.count) bytes" } ?? "nil"
    }
  }
}
