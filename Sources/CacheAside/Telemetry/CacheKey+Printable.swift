// In this folder because `Key` knows no errors.

extension CacheKey {
  /// Reads a key from its printable form, as tools and people give it.
  ///
  /// - Parameter printable: what ``text`` gave; a percent sign of the text itself is `%25`.
  /// - Throws: `CacheError` with the code `invalidKey` when an escape in it is malformed.
  public init(printable: String) throws {
    if let key = CacheKey(text: printable) {
      self = key
      return
    }
    throw CacheError(
      .invalidKey,
      """
      "\(printable)" is not the text of a key: write % as %25, and other escapes as % with two \
      upper-case hexadecimal digits; a key of arguments ends with its only parenthesis
      """
    )
  }
}
