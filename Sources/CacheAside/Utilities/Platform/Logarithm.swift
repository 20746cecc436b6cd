// The platform's own logarithm, so that nobody else has to import its C library.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

enum Logarithm {
  /// The logarithm to the base e.
  static func natural(_ number: Double) -> Double { log(number) }
}
