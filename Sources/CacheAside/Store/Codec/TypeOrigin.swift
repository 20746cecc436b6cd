/// Where in a build of the program the private parts of a type's name are declared.
///
/// Two private types of one module with the same name have the same identity; in records of one
/// build their origins differ. Records of other builds say nothing: there decoding decides.
struct TypeOrigin: Hashable {
  /// Digests of the images, and of the places in them.
  private let build: UInt64
  private let place: UInt64

  init(_ places: [ImagePlace]) {
    build = Self.digest(places.map(\.image))
    place = Self.digest(places.map(\.offset))
  }

  /// Reads the origin from a record's metadata.
  init?(_ metadata: CacheMetadata) {
    guard let bytes = metadata[.typeOrigin], bytes.count == 16 else { return nil }
    let word = { (offset: Int) in
      (0..<8).reduce(0 as UInt64) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }
    build = word(0)
    place = word(8)
  }

  /// What a record carries.
  var recordBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: build)
    bytes.append(littleEndian: place)
    return bytes
  }

  /// Whether a record is certainly of another type.
  func excludes(_ metadata: CacheMetadata) -> Bool {
    guard let other = TypeOrigin(metadata) else { return false }
    return other.build == build && other.place != place
  }

  private static func digest(_ words: [UInt64]) -> UInt64 {
    var bytes: [UInt8] = []
    for word in words { bytes.append(littleEndian: word) }
    return Checksum.of(bytes)
  }
}
