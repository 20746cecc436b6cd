// The cases of an enum without payloads, by number, for types that do not adopt `CaseIterable`.
//
// What: reads how many cases an enum has from the type's own metadata (kind in word 0, descriptor in
// word 1, the counts at bytes 20 and 24 of it: TargetEnumDescriptor of the Swift ABI) and makes the
// value of a case from its number, which is its bit pattern. Invariants: only for trivial enums of at
// most one byte all of whose cases are without payload, so that every number below the count is a
// valid value; an enum with no cases has none. On arm64e, where pointers in metadata are signed,
// nothing is known. Called by the schema probe, once per type.
enum EnumCases {
  /// How many cases an enum has, none of which carries anything.
  ///
  /// - Parameter type: any type.
  /// - Returns: the number of cases; zero for all other types.
  static func count<Value>(of type: Value.Type) -> Int {
    #if _ptrauth(_arm64e)
    return 0
    #else
    guard _isPOD(Value.self), MemoryLayout<Value>.size <= 1 else { return 0 }
    let metadata = unsafe unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self)
    guard unsafe metadata[0] == enumKind,
      let descriptor = unsafe UnsafeRawPointer(bitPattern: metadata[1])
    else { return 0 }
    let withPayload = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let without = unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self)
    return withPayload == 0 && without <= 256 ? Int(without) : 0
    #endif
  }

  /// The value of a case.
  ///
  /// - Parameters:
  ///   - index: the number of the case, in the order of declaration.
  ///   - type: the enum.
  /// - Returns: `nil` when there is no such case, or the type is none of those that can be counted.
  static func value<Value>(at index: Int, of type: Value.Type) -> Value? {
    guard index < count(of: type) else { return nil }
    return unsafe withUnsafeBytes(of: UInt64(index).littleEndian) { bytes in
      unsafe bytes.load(as: Value.self)
    }
  }

  /// What the first word of an enum's metadata says.
  private static let enumKind: UInt = 0x201
}
