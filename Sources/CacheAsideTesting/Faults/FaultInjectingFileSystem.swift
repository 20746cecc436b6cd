public import CacheAside
import Synchronization

/// A file system that counts calls and makes chosen ones fail, for tests of what stands on files.
///
/// Pass it to a store instead of the system's own. Use it rather than permissions or full volumes:
/// those do not hold for root, and differ between machines. All methods may be called concurrently
/// with the store.
public final class FaultInjectingFileSystem: FileSystem {
  private struct Fault {
    var call: FileCall
    var code: Int32
    var skips: Int
    var times: Int
  }

  private struct State {
    var faults: [Fault] = []
    var counts: [FileCall: Int] = [:]
    var hooks: [FileCall: @Sendable (String?) -> Void] = [:]
    var openDescriptors = 0
    var mostOpenDescriptors = 0
    var bytesRead = 0
    var bytesWritten = 0
  }

  private let base: any FileSystem
  private let state = Lock(State())

  /// Wraps a file system.
  ///
  /// - Parameter base: what does the calls that do not fail.
  public init(_ base: any FileSystem = POSIXFileSystem()) { self.base = base }

  /// Makes calls of a kind fail, instead of being made.
  ///
  /// - Parameters:
  ///   - call: which kind.
  ///   - code: the system's error number to fail with.
  ///   - times: how many fail.
  ///   - skips: how many succeed before.
  public func fail(_ call: FileCall, with code: Int32, times: Int = .max, after skips: Int = 0) {
    let fault = Fault(call: call, code: code, skips: skips, times: times)
    state.withLock { $0.faults.append(fault) }
  }

  /// Lets all calls succeed again, and removes what was to run before calls.
  public func heal() {
    state.withLock {
      $0.faults = []
      $0.hooks = [:]
    }
  }

  /// Runs something before every call of a kind, on the calling thread, to arrange a race.
  ///
  /// - Parameters:
  ///   - call: which kind.
  ///   - body: gets the path of the call, if it has one; calls made inside run it again.
  public func before(_ call: FileCall, run body: @escaping @Sendable (String?) -> Void) {
    state.withLock { $0.hooks[call] = body }
  }

  /// How many calls were made, failed ones included.
  public var calls: Int { state.withLock { $0.counts.values.reduce(0, +) } }

  /// How many calls of a kind were made, failed ones included.
  ///
  /// - Parameter call: which kind.
  /// - Returns: the number since the start or the last ``resetCounts()``.
  public func count(of call: FileCall) -> Int { state.withLock { $0.counts[call] ?? 0 } }

  /// Begins to count from zero; what is open stays counted as open.
  public func resetCounts() {
    state.withLock {
      $0.counts = [:]
      $0.bytesRead = 0
      $0.bytesWritten = 0
      $0.mostOpenDescriptors = $0.openDescriptors
    }
  }

  /// How many descriptors are open now.
  public var openDescriptors: Int { state.withLock { $0.openDescriptors } }

  /// How many descriptors were open at once at most.
  public var mostOpenDescriptors: Int { state.withLock { $0.mostOpenDescriptors } }

  /// How many bytes were read.
  public var bytesRead: Int { state.withLock { $0.bytesRead } }

  /// How many bytes were written.
  public var bytesWritten: Int { state.withLock { $0.bytesWritten } }

  /// Counts a call, runs what is to run before it, and fails if it is its turn.
  func prepare(_ call: FileCall, _ path: String?) throws(FileSystemError) {
    state.withLock { $0.hooks[call] }?(path)
    let code: Int32? = state.withLock { state in
      state.counts[call, default: 0] += 1
      for index in state.faults.indices where state.faults[index].call == call {
        if state.faults[index].skips > 0 {
          state.faults[index].skips -= 1
        } else if state.faults[index].times > 0 {
          state.faults[index].times -= 1
          return state.faults[index].code
        }
      }
      return nil
    }
    if let code { throw FileSystemError(call, code: code) }
  }

  /// The wrapped file system.
  var wrapped: any FileSystem { base }

  /// Notes that a descriptor was opened or closed.
  func note(opened change: Int) {
    state.withLock {
      $0.openDescriptors += change
      $0.mostOpenDescriptors = max($0.mostOpenDescriptors, $0.openDescriptors)
    }
  }

  /// Notes that bytes were written.
  func note(written count: Int) { state.withLock { $0.bytesWritten += count } }

  /// Notes that bytes were read.
  func note(read count: Int) { state.withLock { $0.bytesRead += count } }
}
