// A batch may bring values of keys that nobody asked for. Which ones is known only when its producer
// has answered, so they cannot be registered before (F4). Instead a batch watches its flight table
// from its start on: every change is numbered and noted, once for all who watch, before it closes the
// key's registrations. A key that was noted after a batch began brings something old. Hashes are
// compared, not keys: two keys of one hash cost a value that is not stored, never one that is stored
// over a newer one. While somebody watches, no write takes the short way of `setAtOnce`, which notes
// nothing.

import Synchronization

/// A batch's view of the changes since its start.
struct ChangeWatch: Sendable {
  /// The last change before its start.
  fileprivate let begin: UInt64
  fileprivate let watches: ChangeWatches

  /// Whether a key may have changed.
  func hasSeen(_ hash: UInt64) -> Bool { watches.hasSeen(hash, since: begin) }
}

/// The changes of a flight table, for those who watch it.
final class ChangeWatches: Sendable {
  fileprivate struct Change {
    let number: UInt64
    let hash: UInt64
  }

  fileprivate struct State {
    /// The number of the last change.
    var last: UInt64 = 0
    /// The number of the last change that concerned any key.
    var lastOfAll: UInt64 = 0
    /// The numbers of the last changes of single keys, as far back as somebody watches.
    var lastByHash: [UInt64: UInt64] = [:]
    /// The same in their order, with older changes of the same keys.
    var journal = FIFOQueue<Change>()
    /// From where on somebody watches or did, in order.
    var begins = FIFOQueue<UInt64>()
    /// How many watch from each of these on.
    var watching: [UInt64: Int] = [:]
    var watchers = 0
  }

  private let state = Lock(State())
  /// How many watch, so that a table without batches takes no lock.
  private let count = Atomic<Int>(0)

  /// Notes what changes from now on; end it with ``remove(_:)``.
  func add() -> ChangeWatch {
    count.add(1, ordering: .sequentiallyConsistent)
    let begin = state.withLock { state in
      state.begin()
      return state.last
    }
    return ChangeWatch(begin: begin, watches: self)
  }

  func remove(_ watch: ChangeWatch) {
    state.withLock { state in
      state.watching[watch.begin, default: 1] -= 1
      state.watchers -= 1
      state.forget()
    }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Says that a key is about to change.
  ///
  /// Amortised O(1), however many watch.
  func note(_ hash: UInt64) {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    state.withLock { $0.note(hash) }
  }

  /// Says that any key is about to change.
  func noteAll() {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return }
    state.withLock { $0.noteAll() }
  }

  fileprivate func hasSeen(_ hash: UInt64, since begin: UInt64) -> Bool {
    state.withLock { max($0.lastOfAll, $0.lastByHash[hash] ?? 0) > begin }
  }

  /// How many changes are kept.
  var noted: Int { state.withLock { $0.journal.count } }
}

extension ChangeWatches.State {
  /// Notes a key; when there are very many of them, all, so that a long batch holds no more.
  fileprivate mutating func note(_ hash: UInt64) {
    WorkLog.count(.entry)
    if lastByHash.count >= Self.most { return noteAll() }
    last += 1
    lastByHash[hash] = last
    journal.append(ChangeWatches.Change(number: last, hash: hash))
    guard journal.count > 2 * lastByHash.count + 1_024 else { return }
    // Most of it is of keys that have changed again since.
    var rest = FIFOQueue<ChangeWatches.Change>()
    while let change = journal.popFirst() {
      WorkLog.count(.entry)
      if lastByHash[change.hash] == change.number { rest.append(change) }
    }
    journal = rest
  }

  private static let most = 65_536

  fileprivate mutating func noteAll() {
    last += 1
    lastOfAll = last
    lastByHash = [:]
    journal = FIFOQueue()
  }

  fileprivate mutating func begin() {
    watchers += 1
    if watching[last] == nil { begins.append(last) }
    watching[last, default: 0] += 1
    guard begins.count > 2 * watchers + 64 else { return }
    // One watches for long, and most that began after it have ended.
    var rest = FIFOQueue<UInt64>()
    while let begin = begins.popFirst() {
      if watching[begin] == 0 { watching[begin] = nil } else { rest.append(begin) }
    }
    begins = rest
  }

  /// Forgets the changes that nobody watches any more.
  fileprivate mutating func forget() {
    while let begin = begins.first, watching[begin] == 0 {
      watching[begin] = nil
      _ = begins.popFirst()
    }
    let oldest = begins.first ?? last
    while let change = journal.first, change.number <= oldest {
      WorkLog.count(.entry)
      _ = journal.popFirst()
      if lastByHash[change.hash] == change.number { lastByHash[change.hash] = nil }
    }
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
