public import Synchronization

/// Whether anything was ever bound in this process.
///
/// An object, since whoever asks on a hit keeps the reference: it saves the call that a global of
/// another module costs.
@usableFromInline
final class AmbientUse: Sendable {
  @usableFromInline let narrowings = Atomic<Bool>(false)
  @usableFromInline let anything = Atomic<Bool>(false)
  private let traces = Atomic<Bool>(false)

  /// Whether a trace was ever bound.
  var hasTraces: Bool { traces.load(ordering: .relaxed) }

  /// Whether a scope, a mode or a trace was ever bound, for which a hit has to look.
  @inlinable
  var concernsHits: Bool { @inline(__always) get { narrowings.load(ordering: .relaxed) } }

  /// Whether a scope, a mode, a trace or caches were ever bound.
  @inlinable
  var hasBegun: Bool { @inline(__always) get { anything.load(ordering: .relaxed) } }

  func beginCaches() { anything.store(true, ordering: .sequentiallyConsistent) }

  func beginConcerningHits() {
    narrowings.store(true, ordering: .sequentiallyConsistent)
    beginCaches()
  }

  func beginTraces() {
    traces.store(true, ordering: .sequentiallyConsistent)
    beginConcerningHits()
  }
}
