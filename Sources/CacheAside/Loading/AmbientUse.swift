public import Synchronization

/// Whether anything was ever bound in this process.
///
/// An object, since whoever asks on a hit keeps the reference: it saves the call that a global of
/// another module costs.
@usableFromInline
final class AmbientUse: Sendable {
  @usableFromInline let scopes = Atomic<Bool>(false)
  @usableFromInline let anything = Atomic<Bool>(false)
  private let traces = Atomic<Bool>(false)

  /// Whether a trace was ever bound.
  var hasTraces: Bool { traces.load(ordering: .relaxed) }

  /// Whether a scope or a trace was ever bound: what concerns hits.
  @inlinable
  var hasScopes: Bool { @inline(__always) get { scopes.load(ordering: .relaxed) } }

  /// Whether a scope or caches were ever bound.
  @inlinable
  var hasBegun: Bool { @inline(__always) get { anything.load(ordering: .relaxed) } }

  func beginCaches() { anything.store(true, ordering: .sequentiallyConsistent) }

  func beginScopes() {
    scopes.store(true, ordering: .sequentiallyConsistent)
    beginCaches()
  }

  func beginTraces() {
    traces.store(true, ordering: .sequentiallyConsistent)
    beginScopes()
  }
}
