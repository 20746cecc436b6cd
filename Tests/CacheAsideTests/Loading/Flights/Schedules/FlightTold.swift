import Synchronization

@testable import CacheAside

/// Hears which callers' waits have ended, and how.
final class FlightTold: Sendable {
  struct Word: Sendable {
    let caller: Int
    let end: Waiter.End
    /// Whether the flight was out of the table by then.
    let isUnregistered: Bool
  }

  private let words = Lock<[Word]>([])

  /// The waiter of a caller.
  func waiter(_ caller: Int, of flight: Flight<Int>) -> Waiter {
    .callback { [self] end in
      let isUnregistered = flight.registration.isSuperseded
      let word = Word(caller: caller, end: end, isUnregistered: isUnregistered)
      words.withLock { $0.append(word) }
    }
  }

  /// What was heard since the last look.
  func take() -> [Word] {
    words.withLock { words in
      let taken = words
      words = []
      return taken
    }
  }
}
