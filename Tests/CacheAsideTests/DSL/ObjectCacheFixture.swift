import CacheAsideTesting
import Foundation
import Synchronization

@testable import CacheAside

/// What a completion was given, and on which thread.
struct ObjectAnswer: Sendable {
  var object: Int?
  var isLoadedFromCache: Bool
  var error: (any Error)?
  var thread: UInt

  var code: CacheError.Code? { (error as? CacheError)?.code }
}

/// An object cache of memory and disk on a manual clock, and the completions of its calls.
final class ObjectCacheFixture: Sendable {
  let clock = ManualClock()
  let folder: TemporaryFolder
  let cache: ObjectCache<Int>
  let answers = EventRecorder<ObjectAnswer>()
  let events = EventRecorder<CacheEvent>()

  /// - Parameter fixture: whose folder is opened again, as by the next launch.
  init(reopening fixture: ObjectCacheFixture? = nil) throws {
    let folder = try fixture?.folder ?? TemporaryFolder()
    self.folder = folder
    cache = try ObjectCache<Int>(
      name: "objects",
      policy: CachePolicy(keepExpired: .unlimited),
      time: clock.timeSource
    ) {
      Memory()
      Disk(location: .directory(folder.path))
    }
    cache.observe(RecordingObserver(recorder: events))
  }

  /// Calls the callback form and records its completion.
  func load(_ key: String, _ block: CacheBlock<Int>) {
    cache.setObject(forKey: key, cacheBlock: block) { [answers] object, isLoadedFromCache, error in
      answers.record(
        ObjectAnswer(
          object: object,
          isLoadedFromCache: isLoadedFromCache,
          error: error,
          thread: CurrentThread.identifier
        )
      )
    }
  }

  /// Runs something on a thread of its own.
  static func onOtherThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread(body)
  }
}

/// An observer that records the events of a cache.
struct RecordingObserver: CacheObserver {
  let recorder: EventRecorder<CacheEvent>
  func receive(_ event: CacheEvent) { recorder.record(event) }
}

/// The handlers that a block was given, kept for later.
final class KeptHandlers: Sendable {
  typealias Success = @Sendable (Int, Expiry) -> Void
  typealias Failure = @Sendable (any Error) -> Void

  private let kept = Lock<(success: Success, failure: Failure)?>(nil)

  func keep(_ success: @escaping Success, _ failure: @escaping Failure) {
    kept.withLock { $0 = (success, failure) }
  }

  func take() -> (success: Success, failure: Failure)? {
    kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
  }

  func succeed(_ value: Int, _ expiry: Expiry = .never) {
    kept.withLock { $0 }?.success(value, expiry)
  }

  func fail(_ error: any Error) { kept.withLock { $0 }?.failure(error) }
}
