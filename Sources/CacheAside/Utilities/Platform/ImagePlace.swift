// Where constant data of the program lies, in a form that is the same in every process.
//
// An address differs between processes, its distance from the beginning of its image (the program
// or a library) does not. The distance means something within one build only, so it comes with a
// digest of the image's first page, which holds the sizes of all segments and, on Apple platforms,
// the identifier of the build. Called when a table is made for a private type.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A place in an image of the program.
struct ImagePlace: Hashable {
  /// A digest that another build of the image does not share.
  let image: UInt64
  /// The distance from the image's beginning, in bytes.
  let offset: UInt64

  /// The place of an address, or `nil` when it is in no image that the system knows.
  init?(_ address: UInt) {
    guard let start = Self.imageStart(address), start <= address,
      let page = unsafe UnsafeRawPointer(bitPattern: start)
    else { return nil }
    // Images begin on pages, and no platform has smaller ones.
    image = unsafe Checksum.of(UnsafeRawBufferPointer(start: page, count: 4_096))
    offset = UInt64(address - start)
  }

  /// What `dladdr` fills: name and start of the image, name and start of the nearest symbol.
  private typealias Found = (UInt, UInt, UInt, UInt)
  private typealias Find = @convention(c) (UInt, UnsafeMutableRawPointer) -> Int32

  private static func imageStart(_ address: UInt) -> UInt? {
    #if canImport(Darwin)
    let scope = unsafe UnsafeMutableRawPointer(bitPattern: -2)
    #else
    let scope: UnsafeMutableRawPointer? = nil
    #endif
    // Not every C module shows `dladdr`; a statically linked program has none.
    guard let symbol = unsafe dlsym(scope, "dladdr") else { return nil }
    let find = unsafe unsafeBitCast(symbol, to: Find.self)
    var found: Found = (0, 0, 0, 0)
    let isFound = unsafe withUnsafeMutableBytes(of: &found) { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe find(address, base) != 0
    }
    return isFound && found.1 != 0 ? found.1 : nil
  }
}
