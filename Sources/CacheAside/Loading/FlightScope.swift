/// Which flight the current code works for.
///
/// Bound by ``FlightTable`` around a producer and around the synchronous part of a callback
/// producer; read on the slow path only, to find a load that waits for itself.
enum FlightScope {
  /// The flight whose producer is running, or `nil` outside every flight.
  @TaskLocal static var current: Registration?

  /// The flight that a wait beginning here would hold up, if there is one.
  ///
  /// Work that outlives its flight holds up nobody.
  static var waitSource: Registration? {
    guard let current, !current.isOver else { return nil }
    return current
  }
}

extension CacheError {
  /// The error of a load that waits, through any number of flights, for itself.
  ///
  /// - Parameter key: the key it asked for; the sentence does not name it, since it stands in events.
  /// - Returns: the error.
  static func recursiveLoad(of key: CacheKey?) -> CacheError {
    CacheError(
      .recursiveLoad,
      "the load waits for itself: its producer asks, directly or through other loads, for the value "
        + "it has to make; call the function behind the cache there, or use another key",
      key: key
    )
  }
}
