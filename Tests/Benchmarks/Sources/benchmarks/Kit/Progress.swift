#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A line on the terminal that says which row is being taken; nothing anywhere else.
enum Progress {
  private static let isShown = isatty(2) != 0

  /// What takes the line away again.
  static var erasing: String { isShown ? "\r\u{1B}[K" : "" }

  static func show(_ text: String) {
    if isShown { write(erasing + text, to: 2) }
  }

  static func erase() {
    if isShown { write(erasing, to: 2) }
  }
}
