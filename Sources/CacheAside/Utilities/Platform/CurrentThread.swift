#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The calling thread.
enum CurrentThread {
  /// A number that no other live thread has.
  static var identifier: UInt {
    #if canImport(Darwin)
    return unsafe UInt(pthread_mach_thread_np(pthread_self()))
    #else
    return UInt(pthread_self())
    #endif
  }
}
