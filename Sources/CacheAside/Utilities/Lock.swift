// The one lock of the package. `Synchronization.Mutex`, except in sanitizer builds
// (`-DSANITIZE_THREAD`): ThreadSanitizer does not see the futex of `Mutex` on Linux and would
// report a race at every critical section, so there the lock is a `pthread_mutex_t` of the same
// interface.
#if SANITIZE_THREAD
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A mutual-exclusion lock that ThreadSanitizer understands.
///
/// `@unchecked Sendable`: `value` is reached only while `mutex` is held. It lies outside the object:
/// as a property, a value without a size would have the address of the object's own header, and
/// its uses would look like races with every look at the header.
@safe @usableFromInline
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  @usableFromInline
  package init(_ value: consuming sending Value) {
    unsafe self.value.initialize(to: value)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deinitialize(count: 1)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  @usableFromInline
  package func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe try body(&value.pointee)
  }
}
#else
public import Synchronization

@usableFromInline package typealias Lock = Mutex
#endif
