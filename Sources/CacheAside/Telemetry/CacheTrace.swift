// What the calls of one request decided. Bound as part of the ambient state; each call that begins
// while a trace is bound keeps a `CallNote` and puts its entry here when it ends.

import Synchronization

/// Every cache decision inside a request: what each read, load and change came to, and why.
///
/// Bind one with `CacheTrace.record { … }` or `Caches.withTrace(_:_:)`. Tasks that start inside
/// belong to it, loads in the background do not. What happens inside a trace within another belongs to
/// both. A program that never binds one pays nothing; a call inside one goes a slower way.
///
/// Printing it shows hashes instead of keys, unless it was made to show them.
public final class CacheTrace: Sendable, CustomStringConvertible {
  private struct State {
    var entries: [Entry] = []
    var dropped = 0
    var batches = 0
    /// What probes of memory found and took out, for the notes of the calls that go on after them.
    var takenOut: [CacheKey: TakenOut] = [:]
    /// What the batches of a trace that only passes entries on are called in those it passes them to.
    var batchNumbers: [[Int]] = []
  }

  /// An entry that a probe of memory took out.
  struct TakenOut: Sendable {
    let finding: CacheFinding
    let age: Duration
    let tags: [Tag]
  }

  private let state = Lock(State())
  /// The traces that get the entries instead, if it was made to pass them on.
  private let receivers: [CacheTrace]

  /// How many entries are kept; later ones are counted only.
  public let limit: Int

  /// Whether printing shows keys and tags.
  public let showsKeys: Bool

  /// Makes an empty trace.
  ///
  /// - Parameters:
  ///   - limit: how many entries are kept; at least one.
  ///   - showsKeys: whether printing shows keys and tags, which may hold what must not be in a log.
  public init(limit: Int = 1_000, showsKeys: Bool = false) {
    self.limit = max(1, limit)
    self.showsKeys = showsKeys
    receivers = []
  }

  private init(passingTo receivers: [CacheTrace]) {
    limit = 1
    showsKeys = false
    self.receivers = receivers
  }

  /// A trace within another: what is recorded belongs to both.
  func within(_ outer: CacheTrace?) -> CacheTrace {
    guard let outer, outer !== self else { return self }
    let around = outer.receivers.isEmpty ? [outer] : outer.receivers
    return CacheTrace(passingTo: [self] + around.filter { $0 !== self })
  }

  /// One entry a call and, of batch calls, one a key; in the order in which they ended.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// How many entries found the trace full.
  public var droppedEntries: Int { state.withLock { $0.dropped } }

  func add(_ entry: Entry) {
    for (index, receiver) in receivers.enumerated() {
      var entry = entry
      if let batch = entry.batch {
        entry.batch = state.withLock { $0.batchNumbers[batch - 1][index] }
      }
      receiver.add(entry)
    }
    guard receivers.isEmpty else { return }
    state.withLock { state in
      if state.entries.count < limit { state.entries.append(entry) } else { state.dropped += 1 }
    }
  }

  /// The number of a batch call.
  func beginBatch() -> Int {
    let numbers = receivers.map { $0.beginBatch() }
    return state.withLock { state in
      state.batches += 1
      if !numbers.isEmpty { state.batchNumbers.append(numbers) }
      return state.batches
    }
  }

  /// Keeps what a probe took out, until the call goes on.
  func keep(_ takenOut: TakenOut, for key: CacheKey) {
    state.withLock { state in
      if state.takenOut.count >= 64 { state.takenOut = [:] }
      state.takenOut[key] = takenOut
    }
  }

  func takenOut(for key: CacheKey) -> TakenOut? {
    state.withLock { $0.takenOut.isEmpty ? nil : $0.takenOut.removeValue(forKey: key) }
  }

  /// All calls, a few lines each: the keys of a batch call are counted, and named where they are few.
  public var description: String {
    let (entries, dropped) = state.withLock { ($0.entries, $0.dropped) }
    let batches = Dictionary(grouping: entries.filter { $0.batch != nil }) { $0.batch }
    var told: Set<Int> = []
    var lines: [String] = []
    for entry in entries {
      guard let batch = entry.batch else {
        lines.append(entry.text(showsKey: showsKeys))
        continue
      }
      guard told.insert(batch).inserted else { continue }
      lines.append(BatchText(entries: batches[batch] ?? [], showsKeys: showsKeys).description)
    }
    if dropped > 0 { lines.append("\(dropped) more calls, not kept") }
    return lines.joined(separator: "\n")
  }
}
