extension CacheKey {
  /// The SHA-256 digest of the key's bytes, 32 bytes.
  ///
  /// It names the key where a name has to be short; the key itself is stored with the entry and
  /// compared.
  public var digest: [UInt8] { StableDigest.hash(bytes) }

  /// The digest as a file name: 64 lower-case hexadecimal digits, whatever the key.
  public var fileName: String { Hex.lowercase(words: digestWords) }

  /// The first eight bytes of the digest, the highest first.
  public var digestPrefix: UInt64 {
    let words = digestWords
    return UInt64(words[0]) << 32 | UInt64(words[1])
  }

  private var digestWords: SIMD8<UInt32> {
    var digest = StableDigest()
    digest.update(bytes)
    return digest.finalizeWords()
  }
}
