extension TableRegistry {
  /// The table of the immediate form and of key closures.
  @usableFromInline
  func table<Value: Sendable>(_ value: Value.Type) -> Cache<CacheKey, Value> {
    table(CacheKey.self, value, strategy: .identity)
  }
}
