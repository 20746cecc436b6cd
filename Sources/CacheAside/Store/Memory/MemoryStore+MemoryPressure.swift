#if canImport(Darwin)
public import Dispatch

extension MemoryStore {
  /// Trims the store when the system runs short of memory: to half on a warning, to nothing when
  /// it is critical.
  ///
  /// - Returns: the source, already active; trimming ends when it is cancelled or released.
  public func trimOnMemoryPressure() -> any DispatchSourceMemoryPressure {
    let source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.warning, .critical],
      queue: .global(qos: .utility)
    )
    source.setEventHandler { [weak self, weak source] in
      guard let self, let source else { return }
      trim(toFraction: source.data.contains(.critical) ? 0 : 0.5)
    }
    source.activate()
    return source
  }
}
#endif
