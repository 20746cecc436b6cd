extension CacheKey {
  /// The SHA-256 digest of the key's bytes, 32 bytes.
  ///
  /// It names the key where a name has to be short; the key itself is stored with the entry and
  /// compared.
  public var digest: [UInt8] { StableDigest.hash(bytes) }

  /// The digest as a file name: 64 lower-case hexadecimal digits, whatever the key.
  public var fileName: String { Hex.lowercase(digest) }

  /// The first eight bytes of the digest, the highest first.
  public var digestPrefix: UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
