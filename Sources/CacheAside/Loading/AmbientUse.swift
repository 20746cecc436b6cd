public import Synchronization

/// Whether anything was ever bound in this process.
///
/// An object, since whoever asks on a hit keeps the reference: it saves the call that a global of
/// another module costs.
@usableFromInline
final class AmbientUse: Sendable {
  @usableFromInline let scopes = Atomic<Bool>(false)
  @usableFromInline let anything = Atomic<Bool>(false)

  /// Whether a scope was ever bound.
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
}
