/// What a failure of a tier means for a call.
public enum TierFaultPolicy: Hashable, Sendable {
  /// A failed read is a miss, a failed write leaves the value with the caller; both are events.
  case miss
  /// The call throws `CacheError` with the code `storeFailed`, also for a value that cannot be encoded,
  /// does not come back equal or is larger than the store allows, and for a record that cannot be
  /// decoded.
  case fail
}
