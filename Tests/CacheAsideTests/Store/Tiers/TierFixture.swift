import CacheAsideTesting
import Synchronization
import Testing

@testable import CacheAside

/// Whether a store suspends or blocks: both kinds of tier have to keep every rule.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case suspending, blocking

  var testDescription: String { rawValue }
}

/// A cache over one store that can fail, with what it reported and what its store was asked.
final class TierFixture: Sendable {
  let clock = ManualClock()
  let folder: TemporaryFolder
  let cache: Cache<String, Int>
  let events = EventRecorder<CacheEvent>()
  private let control: any FaultControl

  init(
    _ kind: StoreKind,
    lists: Bool = false,
    memory: Bool = true,
    expiry: Expiry? = nil,
    faultPolicy: TierFaultPolicy = .miss
  ) throws {
    folder = try TemporaryFolder()
    let store: any FaultControl & CacheStore =
      switch kind {
      case .suspending where lists: FaultInjectingStore(RecordingStore(ListingStore()))
      case .suspending: FaultInjectingStore(RecordingStore(PlainStore()))
      case .blocking:
        FaultInjectingStore(
          RecordingStore(try DiskStore(directory: folder.path + "/cache", limit: .unlimited))
        )
      }
    control = store
    cache = try Cache(name: "feature", expiry: expiry, time: clock.timeSource) {
      if memory { Memory() }
      Store(store, faultPolicy: faultPolicy)
    }
    cache.observe(EventObserver(events))
  }

  func inject(_ fault: StoreFault, on kind: StoreOperation.Kind, times: Int? = nil) {
    control.inject(fault, on: kind, times: times)
  }

  func heal() { control.heal() }

  /// What the store was asked that got past the faults.
  var operations: [StoreOperation.Kind] { control.operations.map(\.kind) }

  /// The record that is really in the store.
  func record(_ key: String = "k") async throws -> CacheEntry? {
    try await control.record(CacheKey(text: key, namespace: Namespace("feature")))
  }

  /// The kinds of the events so far.
  var kinds: [CacheEvent.Kind] { events.events.map(\.kind) }
}

/// A store that suspends and lists its records, and invalidates none by itself.
private final class ListingStore: CacheStore {
  let name = "listing"
  let capabilities: StoreCapabilities = .scan
  private let records = Lock<[CacheKey: CacheEntry]>([:])

  func entry(for key: CacheKey) async throws -> CacheEntry? { records.withLock { $0[key] } }

  func set(_ entry: CacheEntry, for key: CacheKey) async throws {
    records.withLock { $0[key] = entry }
  }

  func remove(_ key: CacheKey) async throws { records.withLock { $0[key] = nil } }

  func removeAll(in namespace: Namespace?) async throws {
    records.withLock { records in
      records = records.filter { namespace?.covers($0.key.namespace) == false }
    }
  }

  func scan(_ namespace: Namespace?, _ visit: (CacheKey, CacheEntry) -> Bool) async throws {
    let found = records.withLock { $0 }.filter { namespace?.covers($0.key.namespace) != false }
    for (key, entry) in found where !visit(key, entry) { return }
  }
}

/// Hands events to a recorder.
struct EventObserver: CacheObserver {
  let recorder: EventRecorder<CacheEvent>

  init(_ recorder: EventRecorder<CacheEvent>) { self.recorder = recorder }

  func receive(_ event: CacheEvent) { recorder.record(event) }
}

/// A store with faults and a record of what it was asked, whatever it stands on.
protocol FaultControl: Sendable {
  func inject(_ fault: StoreFault, on kinds: StoreOperation.Kind..., times: Int?)
  func heal()
  var operations: [StoreOperation] { get }
  func record(_ key: CacheKey) async throws -> CacheEntry?
}

extension FaultInjectingStore: FaultControl where Base: RecordedStore {
  var operations: [StoreOperation] { base.operations }
  func record(_ key: CacheKey) async throws -> CacheEntry? { try await base.record(key) }
}

/// A recording store, whatever it stands on.
protocol RecordedStore: CacheStore {
  var operations: [StoreOperation] { get }
  func record(_ key: CacheKey) async throws -> CacheEntry?
}

extension RecordingStore: RecordedStore {
  func record(_ key: CacheKey) async throws -> CacheEntry? { try await base.entry(for: key) }
}
