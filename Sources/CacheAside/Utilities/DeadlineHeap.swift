// A binary heap of deadlines: the earliest is first, and of equal ones the one that came first. Each
// deadline knows its place, so that one that is cancelled leaves in O(log n). Used by `DeadlineQueue`
// only, under its lock.
import Synchronization

/// Deadlines, the earliest first.
struct DeadlineHeap {
  /// What is done at a moment.
  struct Entry {
    let moment: Int64
    let deadline: Deadline
    let action: @Sendable () -> Void
    /// Which of equal ones came first.
    var order: UInt64 = 0

    func isBefore(_ other: Entry) -> Bool { (moment, order) < (other.moment, other.order) }
  }

  private var entries: [Entry] = []
  private var lastOrder: UInt64 = 0

  var count: Int { entries.count }

  /// The earliest moment.
  var first: Int64? { entries.first?.moment }

  /// Adds an entry.
  ///
  /// O(log n); O(1) for one that comes last.
  mutating func add(_ entry: Entry) {
    lastOrder += 1
    var entry = entry
    entry.order = lastOrder
    entries.append(entry)
    rise(entries.count - 1)
  }

  /// Takes out the earliest entry, if its moment has come.
  mutating func popFirst(upTo now: Int64) -> Entry? {
    guard let first, first <= now else { return nil }
    return remove(at: 0)
  }

  /// Takes out an entry, if it is there.
  mutating func remove(_ deadline: Deadline) -> Entry? {
    let index = deadline.position.load(ordering: .relaxed)
    return index < 0 ? nil : remove(at: index)
  }

  private mutating func remove(at index: Int) -> Entry {
    entries[index].deadline.position.store(-1, ordering: .relaxed)
    let last = entries.removeLast()
    guard index < entries.count else { return last }
    let removed = entries[index]
    entries[index] = last
    rise(index)
    sink(last.deadline.position.load(ordering: .relaxed))
    return removed
  }

  /// Moves an entry towards the front until none before it is later.
  private mutating func rise(_ start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.isBefore(entries[parent]) else { break }
      WorkLog.count(.entry)
      put(entries[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  /// Moves an entry towards the end until none behind it is earlier.
  private mutating func sink(_ start: Int) {
    var index = start
    let entry = entries[index]
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      guard entries[child].isBefore(entry) else { break }
      WorkLog.count(.entry)
      put(entries[child], at: index)
      index = child
    }
    put(entry, at: index)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    entries[index] = entry
    entry.deadline.position.store(index, ordering: .relaxed)
  }
}
