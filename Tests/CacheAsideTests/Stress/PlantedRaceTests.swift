#if SANITIZE_THREAD
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import Testing

/// A race made on purpose.
///
/// The sanitizer must report it, else its silence about the rest says nothing. `.scripts/sanitize.sh` alone runs it, and fails when it passes.
@Suite(.enabled(if: getenv("CACHE_ASIDE_PLANTED_RACE") != nil, "runs in .scripts/sanitize.sh"))
struct PlantedRaceTests {
  /// `@unchecked Sendable`: wrongly, which is the point.
  private final class Counter: @unchecked Sendable {
    var count = 0
  }

  @Test func `a counter without a lock is reported`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<200_000 { counter.count += 1 } }
      }
    }
    #expect(counter.count > 0)
  }
}
#endif
