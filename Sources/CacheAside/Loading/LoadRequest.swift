/// What one call asks of the engine.
struct LoadRequest<Value: Sendable>: Sendable {
  var mode: CacheMode
  /// The call's policy; unset fields are the feature's.
  var policy: CachePolicy
  /// Whether a produced value may be stored.
  var storing: (@Sendable (Value) -> Bool)?
  var producer: Producer<Value>
  /// Until when the caller waits, if that was counted before the load began.
  var patience: PatienceTimer?
}
