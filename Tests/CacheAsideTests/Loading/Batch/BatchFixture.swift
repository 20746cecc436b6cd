import CacheAsideTesting
import Testing

@testable import CacheAside

/// A source of many ids that notes what it was asked and answers when the test says so.
struct BatchSource: Sendable {
  let calls = EventRecorder<[Int]>()
  let producer: GatedProducer<[Int: Int]>

  init(honoursCancellation: Bool = true) {
    producer = GatedProducer(honoursCancellation: honoursCancellation)
  }

  /// The ids of every call so far, sorted within a call.
  var asked: [[Int]] { calls.events.map { $0.sorted() } }

  @concurrent
  func callAsFunction(_ ids: [Int]) async throws -> [Int: Int] {
    calls.record(ids)
    return try await producer()
  }

  /// Answers the oldest call with ten times each id.
  func answer(_ ids: [Int]) {
    producer.release(Dictionary(uniqueKeysWithValues: ids.map { ($0, 10 * $0) }))
  }
}

/// A feature of one setup with a batch function over a gated source.
final class BatchFixture: Sendable {
  let setup: Setup
  let clock = ManualClock()
  let plain = RecordingStore(PlainStore())
  let source: BatchSource
  private let folder: TemporaryFolder

  init(_ setup: Setup = .memory, honoursCancellation: Bool = true) throws {
    self.setup = setup
    source = BatchSource(honoursCancellation: honoursCancellation)
    folder = try TemporaryFolder()
  }

  /// The feature; again and again gives ones with memory of their own.
  func open(_ policy: CachePolicy = CachePolicy()) throws -> CacheFeature {
    let caches = try Caches(time: clock.timeSource) {
      try Feature("feature", policy: policy) {
        if setup.hasMemory { Memory(.count(1_000), exact: true) }
        if setup == .disk || setup == .memoryAndDisk {
          Store(
            try DiskStore(
              directory: folder.path + "/cache",
              limit: .unlimited,
              time: clock.timeSource
            )
          )
        }
        if setup == .suspending { Store(plain) }
      }
    }
    return try caches["feature"]
  }

  /// The batch function over the source.
  func batch(_ feature: CacheFeature, maximum: Int? = nil) -> BatchMemoized<Int, Int> {
    feature.cachedBatch(key: { "n/\($0)" }, maximumBatchSize: maximum) { [source] (ids: [Int]) in
      try await source(ids)
    }
  }

  /// A single load of an id.
  func single(
    _ feature: CacheFeature,
    _ producer: GatedProducer<Int>
  ) -> MemoizedFunction<CacheKey, Int, Int> {
    feature.cached(key: { "n/\($0)" }) { (_: Int) in try await producer() }
  }
}

extension CacheFeature {
  /// The table of the single form with integers.
  var integers: Cache<CacheKey, Int> { tables.table(Int.self) }

  /// Whether nothing is left of any load.
  var isQuiet: Bool {
    integers.isQuiet && tables.table(Int?.self).isQuiet
  }
}
