#if canImport(Darwin)
// Not every SDK says that dispatch sources may be shared between threads, which they may.
@unsafe @preconcurrency import Dispatch

/// Tells when the system runs short of memory, for as long as it is kept.
final class MemoryPressure: Sendable {
  private let source: any DispatchSourceMemoryPressure

  /// Whether the system tells.
  static let isAvailable = true

  /// Starts to listen.
  ///
  /// - Parameter isShort: called on a queue of the system's; with `true` when memory is critical,
  ///   with `false` on a warning.
  init(_ isShort: @escaping @Sendable (_ isCritical: Bool) -> Void) {
    let source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.warning, .critical],
      queue: .global(qos: .utility)
    )
    source.setEventHandler { [weak source] in
      guard let source else { return }
      isShort(source.data.contains(.critical))
    }
    source.activate()
    self.source = source
  }

  deinit { source.cancel() }
}
#else
/// Linux has no such notice: memory is bounded by explicit limits alone.
final class MemoryPressure: Sendable {
  /// Whether the system tells.
  static let isAvailable = false

  /// Listens to nothing.
  ///
  /// - Parameter isShort: never called.
  init(_ isShort: @escaping @Sendable (_ isCritical: Bool) -> Void) {}
}
#endif
