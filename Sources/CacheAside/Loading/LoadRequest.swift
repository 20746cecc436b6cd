/// What one call asks of the engine.
struct LoadRequest<Value: Sendable>: Sendable {
  /// A producer as the caller gave it: every waiter keeps one, and only the leader's runs, so none is
  /// wrapped in another closure.
  enum Producer: Sendable {
    case plain(@concurrent @Sendable () async throws -> Value)
    case deciding(@concurrent @Sendable () async throws -> Produced<Value>)
  }

  var mode: CacheMode
  /// The call's policy; unset fields are the feature's.
  var policy: CachePolicy
  /// Whether a produced value may be stored.
  var storing: (@Sendable (Value) -> Bool)?
  var producer: Producer

  init(
    mode: CacheMode,
    policy: CachePolicy,
    storing: (@Sendable (Value) -> Bool)?,
    producer: Producer
  ) {
    self.mode = mode
    self.policy = policy
    self.storing = storing
    self.producer = producer
  }

  init(
    mode: CacheMode,
    policy: CachePolicy,
    storing: (@Sendable (Value) -> Bool)?,
    produce: @escaping @concurrent @Sendable () async throws -> Produced<Value>
  ) {
    self.init(mode: mode, policy: policy, storing: storing, producer: .deciding(produce))
  }

  /// Runs the producer.
  @concurrent func produce() async throws -> Produced<Value> {
    switch producer {
    case .plain(let produce): Produced(try await produce())
    case .deciding(let produce): try await produce()
    }
  }
}
