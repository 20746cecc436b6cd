// A batch may bring values of keys that nobody asked for. Which ones is known only when its producer
// has answered, so they cannot be registered before (F4). Instead a batch watches its flight table
// from its start on: every change notes its key with those who watch before it closes the key's
// registrations. A key that was noted brings something old. Hashes are compared, not keys: two keys of
// one hash cost a value that is not stored, never one that is stored over a newer one. While somebody
// watches, no write takes the short way of `setAtOnce`, which notes nothing.

import Synchronization

/// The changes of a flight table since a moment.
final class ChangeWatch: Sendable {
  private struct Noted {
    var hashes: Set<UInt64> = []
    var all = false
  }

  private let noted = Lock(Noted())

  /// Whether a key may have changed.
  func hasSeen(_ hash: UInt64) -> Bool { noted.withLock { $0.all || $0.hashes.contains(hash) } }

  /// Notes a key; when there are very many of them, all, so that a long batch holds no more.
  func note(_ hash: UInt64) {
    noted.withLock { noted in
      if noted.all { return }
      noted.hashes.insert(hash)
      if noted.hashes.count <= Self.most { return }
      noted.all = true
      noted.hashes = []
    }
  }

  private static let most = 65_536

  func noteAll() {
    noted.withLock {
      $0.all = true
      $0.hashes = []
    }
  }
}

/// Those who watch a flight table.
final class ChangeWatches: Sendable {
  private let watches = Lock<[ChangeWatch]>([])
  /// How many there are, so that a table without batches takes no lock.
  private let count = Atomic<Int>(0)

  /// Notes what changes from now on; end it with ``remove(_:)``.
  func add() -> ChangeWatch {
    let watch = ChangeWatch()
    count.add(1, ordering: .sequentiallyConsistent)
    watches.withLock { $0.append(watch) }
    return watch
  }

  func remove(_ watch: ChangeWatch) {
    watches.withLock { $0.removeAll { $0 === watch } }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Says that a key is about to change.
  func note(_ hash: UInt64) {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    for watch in watches.withLock({ $0 }) { watch.note(hash) }
  }

  /// Says that any key is about to change.
  func noteAll() {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    for watch in watches.withLock({ $0 }) { watch.noteAll() }
  }
}

extension FlightTable {
  /// Starts to watch every key; end it with ``unwatch(_:)``.
  func watch() -> ChangeWatch {
    let watch = watches.add()
    for gate in gates { gate.hold() }
    return watch
  }

  func unwatch(_ watch: ChangeWatch) {
    for gate in gates { gate.release() }
    watches.remove(watch)
  }
}
