// What a type is made of, read from its metadata: nobody's code runs and no value is needed.
//
// What: the names and types of a struct's or class's own stored properties, of an enum's cases and
// what they carry, and of a tuple's elements. Read by the layout of the stable Swift ABI: the metadata
// names a context descriptor, whose fifth word leads to the field descriptor (docs/ABI/TypeMetadata);
// the runtime turns the name of a field's type into the type. Invariants: reads only what the compiler
// wrote; a type of another kind, one of C or Objective-C, and one that was compiled without reflection
// have no parts that are known. On arm64e, where pointers in metadata are signed, nothing is known. Called
// once per type that is stored, never on a hit.
enum StoredParts {
  /// A stored property, a case or an element.
  struct Part {
    let name: String
    /// Its type; `nil` for a case that carries nothing, and where it is not known.
    let type: Any.Type?
    /// Whether it has a type that could not be found out.
    let isUnknown: Bool
  }

  /// The parts of a type itself, not those of its superclass.
  ///
  /// - Parameter type: any type.
  /// - Returns: the parts in the order of declaration; `nil` when they are not known.
  static func of(_ type: Any.Type) -> [Part]? {
    #if _ptrauth(_arm64e)
    return nil
    #else
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    switch unsafe metadata[0] {
    case tupleKind: return unsafe elements(metadata)
    case structKind, enumKind, optionalKind:
      guard let descriptor = unsafe UnsafeRawPointer(bitPattern: metadata[1]) else { return nil }
      return unsafe fields(descriptor, arguments: UnsafeRawPointer(metadata + 2))
    default:
      guard type is AnyClass else { return nil }
      return unsafe fieldsOfClass(metadata)
    }
    #endif
  }

  /// Whether a type is an enum.
  static func isEnum(_ type: Any.Type) -> Bool {
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    return unsafe metadata[0] == enumKind
  }

  /// Whether a type is a tuple.
  static func isTuple(_ type: Any.Type) -> Bool {
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    return unsafe metadata[0] == tupleKind
  }

  private static let structKind: UInt = 0x200
  private static let enumKind: UInt = 0x201
  private static let optionalKind: UInt = 0x202
  private static let tupleKind: UInt = 0x301

  /// The elements of a tuple: their number, their labels, then pairs of type and offset.
  private static func elements(_ metadata: UnsafePointer<UInt>) -> [Part] {
    unsafe (0..<Int(metadata[1])).map { index in
      let type = unsafe unsafeBitCast(metadata[3 + 2 * index], to: Any.Type.self)
      return Part(name: "\(index)", type: type, isUnknown: false)
    }
  }

  /// A class: its metadata begins with the superclass, and where Objective-C runs with words of its own.
  private static func fieldsOfClass(_ metadata: UnsafePointer<UInt>) -> [Part]? {
    #if _runtime(_ObjC)
    // The flag of a class that Swift compiled.
    guard unsafe metadata[4] & 2 != 0 else { return nil }
    let words = 5
    #else
    let words = 2
    #endif
    // After those words come flags, sizes and offsets of 24 bytes, then the descriptor.
    let place = words * MemoryLayout<UInt>.size + 24
    let address = unsafe UnsafeRawPointer(metadata).load(fromByteOffset: place, as: UInt.self)
    guard let descriptor = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    let flags = unsafe descriptor.load(as: UInt32.self)
    // The generic arguments precede the fields that the class adds, unless the superclass is resilient.
    var arguments: UnsafeRawPointer?
    if flags >> 29 & 1 == 0, flags >> 28 & 1 == 0 {
      let size = unsafe Int(descriptor.load(fromByteOffset: 28, as: UInt32.self))
      let own = unsafe Int(descriptor.load(fromByteOffset: 32, as: UInt32.self))
      unsafe arguments = UnsafeRawPointer(metadata + (size - own))
    }
    return unsafe fields(descriptor, arguments: arguments)
  }

  /// What a field descriptor says: a header of 16 bytes, then a record a field.
  private static func fields(
    _ descriptor: UnsafeRawPointer,
    arguments: UnsafeRawPointer?
  ) -> [Part]? {
    guard let header = unsafe target(descriptor + 16) else { return nil }
    let size = unsafe Int(header.load(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(header.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).map { index in
      let record = unsafe header + 16 + index * size
      let name = unsafe target(record + 8).map {
        unsafe String(cString: $0.assumingMemoryBound(to: UInt8.self))
      }
      guard let mangled = unsafe target(record + 4) else {
        return Part(name: name ?? "", type: nil, isUnknown: false)
      }
      let text = unsafe mangled.assumingMemoryBound(to: UInt8.self)
      let isGeneric = unsafe descriptor.load(as: UInt32.self) & 0x80 != 0
      let type =
        unsafe isGeneric && arguments == nil
        ? nil
        : unsafe _getTypeByMangledNameInContext(
          text,
          length(ofName: text),
          genericContext: descriptor,
          genericArguments: arguments
        )
      return Part(name: name ?? "", type: type, isUnknown: type == nil)
    }
  }

  /// Where a relative pointer leads, or `nil`.
  private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = unsafe place.load(as: Int32.self)
    return unsafe distance == 0 ? nil : place + Int(distance)
  }

  /// The length of a mangled name, in which a byte below 0x20 is followed by a reference.
  private static func length(ofName name: UnsafePointer<UInt8>) -> UInt {
    var length = 0
    while true {
      switch unsafe name[length] {
      case 0: return UInt(length)
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 1 + MemoryLayout<UInt>.size
      default: length += 1
      }
    }
  }
}
