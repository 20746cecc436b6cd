import Synchronization

// What a removal listener stores may remove something, of which it is told, and so on. Removals are
// counted in generations: what a listener removes while it is told of one is of the next. From the
// second on an insert that would remove something is refused, so that every removal leads to a
// bounded number of others, and each is told.

/// A call of a removal listener that goes on.
///
/// Tasks that the listener starts inherit it, so it knows when it is over.
@usableFromInline
final class ListenerCall: Sendable {
  @TaskLocal private static var current: ListenerCall?

  private let generation: Int
  private let isOver = Atomic<Bool>(false)

  private init(generation: Int) { self.generation = generation }

  /// The generation of what is removed now; zero outside all listeners.
  @usableFromInline static var generation: Int {
    guard let current, !current.isOver.load(ordering: .acquiring) else { return 0 }
    return current.generation
  }

  /// The first generation in which nothing may be removed for an insert.
  @inlinable static var lastGeneration: Int { 2 }

  /// Runs a listener that is told of a removal of a generation.
  static func run(after generation: Int, _ body: () -> Void) {
    let call = ListenerCall(generation: generation + 1)
    defer { call.isOver.store(true, ordering: .releasing) }
    $current.withValue(call, operation: body)
  }
}
