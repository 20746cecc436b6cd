/// The bytes of a key's text that is too long for a `ShortText`.
@frozen @usableFromInline
struct LongText: Sendable {
  /// The bytes behind a reference, with the namespace.
  @usableFromInline
  final class InNamespace: Sendable {
    let text: LongText
    let namespace: Namespace

    init(_ text: LongText, _ namespace: Namespace) {
      self.text = text
      self.namespace = namespace
    }
  }

  /// The hash's key, of this process only.
  private static let key = SipHash.Key(seed: UInt64(truncatingIfNeeded: Hasher().finalize()))

  private let bytes: ContiguousArray<UInt8>

  /// Copies bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = unsafe ContiguousArray(bytes)
  }

  /// What stands for the text in a key.
  var words: ShortText {
    let hash = unsafe withBytes { unsafe SipHash(Self.key).finish(with: $0) }
    return ShortText(hash: hash, count: bytes.count)
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { unsafe body($0) }
  }

  static func == (lhs: LongText, rhs: LongText) -> Bool { lhs.bytes == rhs.bytes }
}
