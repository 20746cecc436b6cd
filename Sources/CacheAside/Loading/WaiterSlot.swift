/// A caller's slot among the waiters of a flight.
///
/// Slots are used again, and each use has a generation of its own: a timer or a cancellation that comes
/// after the wait of its caller has ended does nothing to the next one in the slot. A generation comes
/// again after four thousand million uses of one slot.
struct WaiterSlot: Hashable, Sendable {
  /// One number, so that the frames of suspended callers hold no more than one.
  private let bits: UInt64

  /// Makes a slot.
  ///
  /// - Parameters:
  ///   - index: where it lies.
  ///   - generation: which use of it is meant.
  init(index: Int32, generation: UInt32) {
    bits = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: index))
  }

  /// Where it lies.
  var index: Int { Int(Int32(truncatingIfNeeded: bits)) }

  /// Which use of it is meant.
  var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
}
