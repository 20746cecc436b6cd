import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// The ledger goes back and forth between two names while it is folded, and is not lost by that.
@Suite(.timeLimit(.minutes(60))) struct DiskLedgerNameTests {
  /// How many renames are left to do.
  private final class Renames: Sendable {
    private let left: Lock<Int>

    init(_ count: Int) { left = Lock(count) }

    func isDue() -> Bool {
      left.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
    }
  }

  let files = FaultInjectingFileSystem()
  let fixture: DiskFixture

  init() throws { fixture = try DiskFixture(files: files) }

  private var named: String { fixture.path + "/ledger" }
  private var taken: String { fixture.path + "/tmp/ledger.rewritten" }

  private func remove(_ tag: String, from store: DiskStore) throws {
    try store.invalidateBlocking(
      StoreInvalidation(.remove, .anyOf([CacheAside.Tag(tag)]), in: Namespace("feature"))
    )
  }

  /// A store with a record that nobody removes, and a ledger.
  private func filled() throws -> DiskStore {
    let store = try fixture.open()
    try remove("green", from: store)
    try store.setBlocking(fixture.entry([1], seconds: 100, keptSeconds: 200), for: diskKey("plain"))
    return store
  }

  /// Gives the ledger its other name before each of the next calls of some kinds.
  private func rename(before calls: [FileCall], times: Int) -> Renames {
    let renames = Renames(times)
    for call in calls {
      files.before(call) { [named, taken] path in
        guard renames.isDue() else { return }
        let plain = POSIXFileSystem()
        let isNamed = (try? plain.status(at: named)) != nil
        try? plain.rename(isNamed ? named : taken, to: isNamed ? taken : named)
      }
    }
    return renames
  }

  private func checkNothingIsLost(_ stores: [DiskStore]) throws {
    files.heal()
    for store in stores + [try fixture.open()] {
      #expect(try store.entryBlocking(for: diskKey("plain")) != nil)
    }
    #expect(fixture.reported.isEmpty)
  }

  @Test func `a look that finds the ledger under neither name looks again (B361)`() throws {
    let (store, other) = (try filled(), try fixture.open())
    try remove("red", from: other)
    // Not under its own name, not under the other, not under its own again.
    let renames = rename(before: [.open], times: 3)
    #expect(try store.entryBlocking(for: diskKey("plain")) != nil)
    #expect(!renames.isDue())
    try remove("blue", from: other)
    try checkNothingIsLost([store, other])
  }

  @Test func `who writes to a ledger that it finds under neither name begins none (B361)`() throws {
    let store = try filled()
    let renames = rename(before: [.append, .link], times: 3)
    try remove("red", from: store)
    #expect(!renames.isDue())
    try checkNothingIsLost([store])
  }

  @Test func `the end of a folding takes away nothing that another has taken (B361)`() throws {
    let store = try filled()
    let isTaken = Lock(false)
    // Another folds at the same time: it takes the short ledger while this one ends.
    files.before(.unlink) { [named, taken] path in
      guard path == taken, (try? POSIXFileSystem().rename(named, to: taken)) != nil else { return }
      isTaken.withLock { $0 = true }
    }
    let long = String(repeating: "x", count: 8_000)
    for index in 0..<50 { try remove(long + "\(index % 3)", from: store) }
    #expect(try POSIXFileSystem().status(at: named).size < DiskStore.ledgerLimit)
    #expect(!isTaken.withLock { $0 })
    try checkNothingIsLost([store])
  }

  @Test func `a sweep removes the second name of a ledger that was given back (B361)`() throws {
    let store = try filled()
    try POSIXFileSystem().link(named, to: taken)
    try store.sweepTemporaries()
    #expect(try POSIXFileSystem().list(fixture.path + "/tmp").isEmpty)
    try checkNothingIsLost([store])
  }
}
