/// What an entry in memory carries beyond its times and cost: one object for all entries that agree.
///
/// Lengths are nanoseconds, `Int64.max` without end; the stale windows begin at the end of
/// freshness. An entry without any of this has no terms.
@usableFromInline
final class EntryTerms: Sendable, Equatable {
  /// How long it may be served stale while it is loaded again.
  let staleWhileRevalidate: Int64
  /// How long it may be served stale when a load fails.
  let staleIfError: Int64
  /// How long it stays fresh after a read, when it expires by idleness; zero when it does not.
  let idle: Int64
  /// How long it stays fresh at most after it was stored, when it expires by idleness.
  let idleMaximum: Int64
  /// How long its load took; zero where nobody asks.
  let loadTime: Int64
  /// What the producer gave to ask the source whether the value is still the same.
  let validator: String?
  /// Its tags.
  let tags: [Tag]
  /// The namespace of its scope, removed as a whole; `nil` outside a scope.
  let namespace: Namespace?
  /// The number of the last invalidation by tag or namespace when its load began.
  let begun: UInt64
  /// Whether it was expired by hand: it is never served while it is loaded again.
  let isExpiredByHand: Bool
  /// Whether it is never evicted to hold a limit.
  let isPinned: Bool
  /// Whether its next read loads it again behind the answer, because that was asked for.
  let isDue: Bool

  private static let justDue = EntryTerms(isDue: true)
  private static let expiredByHand = EntryTerms(isExpiredByHand: true)

  /// What an entry carries that has nothing of its own.
  static let none = EntryTerms()

  init(
    staleWhileRevalidate: Int64 = 0,
    staleIfError: Int64 = 0,
    idle: Int64 = 0,
    idleMaximum: Int64 = 0,
    loadTime: Int64 = 0,
    validator: String? = nil,
    tags: [Tag] = [],
    namespace: Namespace? = nil,
    begun: UInt64 = 0,
    isExpiredByHand: Bool = false,
    isPinned: Bool = false,
    isDue: Bool = false
  ) {
    self.staleWhileRevalidate = staleWhileRevalidate
    self.staleIfError = staleIfError
    self.idle = idle
    self.idleMaximum = idleMaximum
    self.loadTime = loadTime
    self.validator = validator
    self.tags = tags
    self.namespace = namespace
    self.begun = begun
    self.isExpiredByHand = isExpiredByHand
    self.isPinned = isPinned
    self.isDue = isDue
  }

  /// Whether an invalidation by tag or namespace can reach the entry.
  var isSelectable: Bool { !tags.isEmpty || namespace != nil }

  /// The terms of an entry with these after it was expired by hand; `begun` is set where that was
  /// done for all invalidations up to it.
  @usableFromInline
  static func expiredByHand(
    _ old: EntryTerms?,
    staleIfError: Int64,
    begun: UInt64? = nil
  ) -> EntryTerms {
    guard let old else { return expiredByHand }
    return EntryTerms(
      staleIfError: staleIfError,
      idle: old.idle,
      idleMaximum: old.idleMaximum,
      loadTime: old.loadTime,
      validator: old.validator,
      tags: old.tags,
      namespace: old.namespace,
      begun: begun ?? old.begun,
      isExpiredByHand: true,
      isPinned: old.isPinned
    )
  }

  /// The terms of an entry with these that its next read is to load again.
  static func due(_ old: EntryTerms?) -> EntryTerms {
    guard let old else { return justDue }
    if old.isDue { return old }
    return EntryTerms(
      staleWhileRevalidate: old.staleWhileRevalidate,
      staleIfError: old.staleIfError,
      idle: old.idle,
      idleMaximum: old.idleMaximum,
      loadTime: old.loadTime,
      validator: old.validator,
      tags: old.tags,
      namespace: old.namespace,
      begun: old.begun,
      isExpiredByHand: old.isExpiredByHand,
      isPinned: old.isPinned,
      isDue: true
    )
  }

  @usableFromInline
  static func == (lhs: EntryTerms, rhs: EntryTerms) -> Bool {
    lhs === rhs
      || lhs.staleWhileRevalidate == rhs.staleWhileRevalidate
        && lhs.staleIfError == rhs.staleIfError && lhs.idle == rhs.idle
        && lhs.idleMaximum == rhs.idleMaximum && lhs.loadTime == rhs.loadTime
        && lhs.validator == rhs.validator && lhs.tags == rhs.tags
        && lhs.namespace == rhs.namespace && lhs.begun == rhs.begun
        && lhs.isExpiredByHand == rhs.isExpiredByHand && lhs.isPinned == rhs.isPinned
        && lhs.isDue == rhs.isDue
  }
}
