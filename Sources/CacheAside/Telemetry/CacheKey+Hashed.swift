extension CacheKey {
  /// What stands for the key where it must not be seen: a `#` and the first digits of its digest.
  public var hashed: String {
    let digits = String(digestPrefix, radix: 16)
    return "#" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
