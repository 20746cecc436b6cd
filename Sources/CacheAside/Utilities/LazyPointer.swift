public import Synchronization

/// A reference that is set once and then read without touching its reference count.
///
/// `AtomicLazyReference` retains on every load, two atomic operations on a line that all readers
/// share. Here readers borrow the object through the pointer, which holds it.
@safe @usableFromInline
struct LazyPointer<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  /// The object's address, whose reference is retained once; zero before it is set.
  @usableFromInline let address = Atomic<UInt>(0)

  init() {}

  deinit { clear() }

  /// Sets the object, unless one is set already; returns the one that is set.
  func storeIfNil(_ object: Object) -> Object {
    let retained = unsafe Unmanaged.passRetained(object)
    let (isSet, found) = address.compareExchange(
      expected: 0,
      desired: unsafe UInt(bitPattern: retained.toOpaque()),
      ordering: .acquiringAndReleasing
    )
    if isSet { return object }
    unsafe retained.release()
    guard let raw = unsafe UnsafeRawPointer(bitPattern: found) else { return object }
    return unsafe Unmanaged<Object>.fromOpaque(raw).takeUnretainedValue()
  }

  /// The object, retained; for slow paths.
  func load() -> Object? {
    guard let raw = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe Unmanaged<Object>.fromOpaque(raw).takeUnretainedValue()
  }

  /// Lets the object go; only its owner may, when nobody can borrow it any more.
  func clear() {
    let old = address.exchange(0, ordering: .acquiringAndReleasing)
    guard let raw = unsafe UnsafeRawPointer(bitPattern: old) else { return }
    unsafe Unmanaged<Object>.fromOpaque(raw).release()
  }

  /// Borrows the object: this value holds it for as long as this value lives.
  ///
  /// - Parameters:
  ///   - body: uses the object.
  ///   - fallback: what to do before it is set.
  /// - Returns: what they return.
  @inlinable @inline(__always)
  func with<Result>(_ body: (Object) -> Result?, orElse fallback: () -> Result?) -> Result? {
    guard let raw = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      return fallback()
    }
    return unsafe Unmanaged<Object>.fromOpaque(raw)._withUnsafeGuaranteedRef { body($0) }
  }
}
