extension CacheTrace {
  /// What part a call had in the load it waited for.
  public enum FlightRole: String, Hashable, Sendable, Codable {
    /// The load was started for it.
    case led
    /// The load had been started for another call.
    case joined
  }
}
