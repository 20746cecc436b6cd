/// The limits of a feature's memory tables, each of which holds them for itself.
public struct MemoryPlan: Hashable, Sendable {
  public init() {}
  static let none = MemoryPlan()
  var storesAnything: Bool { true }
  func validate(feature: String) throws {}
  func makeStore<K: Hashable & Sendable, V: Sendable>(
    time: TimeSource,
    keepExpired: Window,
    onRemoval: (@Sendable (K, V, RemovalReason) -> Void)?
  ) -> MemoryStore<K, V> { fatalError() }
}
