/// Objects that left what a lock guards, until the lock is free.
///
/// Their `deinit` may be a user's and may come back to the same lock, so none of them may end under
/// it. Whoever takes a lock to throw something away declares one of these before, and moves into it
/// what would otherwise end inside; memory tables have `Displaced`, which tells the listener too.
struct ReleasedAfterUnlock: ~Copyable {
  private var objects: [any Sendable] = []

  init() {}

  /// Keeps an object until this goes.
  mutating func keep(_ object: some Sendable) { objects.append(object) }
}
