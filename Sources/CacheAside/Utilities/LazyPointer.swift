public import Synchronization

/// A reference that is set once and then read without touching its reference count.
///
/// `AtomicLazyReference` alone retains on every load, two atomic operations on a line that all
/// readers share. Here it keeps the object alive, and readers borrow it through the pointer.
@usableFromInline
struct LazyPointer<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let owner = AtomicLazyReference<Object>()
  /// The object's address; zero before it is set.
  @usableFromInline let address = Atomic<UInt>(0)

  init() {}

  /// Sets the object, unless one is set already; returns the one that is set.
  func storeIfNil(_ object: Object) -> Object {
    let kept = owner.storeIfNil(object)
    let pointer = unsafe Unmanaged.passUnretained(kept).toOpaque()
    address.store(UInt(bitPattern: pointer), ordering: .releasing)
    return kept
  }

  /// The object, retained; for slow paths.
  func load() -> Object? { owner.load() }

  /// Borrows the object: `owner` holds it for as long as this value lives.
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
