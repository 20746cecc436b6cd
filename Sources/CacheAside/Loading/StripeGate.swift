// The outer lock of one stripe of a flight table, and how many keys have something registered there.
//
// It knows no types, so that a write from a client module, where only memory is concerned, can look
// and store without what is generic in a stripe: while nothing is registered, there is nothing that
// a write would have to close. `FlightStripe` takes it around every look at its registrations.

public import Synchronization

/// Whether a stripe has anything registered.
@usableFromInline
final class StripeGate: Sendable {
  /// How many keys have something registered, and how many hold the gate besides.
  @usableFromInline let registered = Lock(0)

  init() {}

  /// Sends writes the long way until ``release()``, whatever is registered.
  func hold() { registered.withLock { $0 += 1 } }

  func release() { registered.withLock { $0 -= 1 } }

  /// The stripe of a hash; spread by its own multiplication, whatever the hash is worth.
  ///
  /// - Parameter hash: a key's hash.
  /// - Returns: the stripe's number, from 0 to 15.
  @inlinable
  static func index(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> 60)
  }

  /// Runs a function unless anything is registered; nothing is while it runs.
  ///
  /// - Parameter body: stores in memory; it must not run a user's code.
  /// - Returns: whether it was run.
  @inlinable
  func ifIdle(_ body: () -> Void) -> Bool {
    registered.withLock { count in
      if count != 0 { return false }
      body()
      return true
    }
  }
}
