/// A value that knows how many bytes it holds.
protocol BytesCosted {
  /// How many.
  var byteCount: Int { get }
}
