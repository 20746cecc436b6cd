import Synchronization

/// How long the loads of a table took lately: the longest of them, which fades.
final class LoadTimes: Sendable {
  private let nanoseconds = Atomic<Int64>(0)

  /// The longest load of the last few.
  var longest: Int64 { nanoseconds.load(ordering: .relaxed) }

  /// Notes a load; of two at once one may go unnoted.
  func note(_ took: Int64) {
    let longest = longest
    let faded = max(took, longest - longest / 8)
    if faded != longest { nanoseconds.store(faded, ordering: .relaxed) }
  }
}
