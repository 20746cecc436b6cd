/// What a failure of a tier means for a call.
public enum TierFaultPolicy: Hashable, Sendable {
  /// A failed read is a miss, a failed write leaves the value with the caller; both are events.
  case miss
  /// The call throws `CacheError` with the code `storeFailed`.
  case fail
}
