/// The process's standard error, for what a developer must see.
enum StandardError {
  /// Writes one line.
  ///
  /// - Parameter line: the text, without the line's end.
  static func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      // What cannot be written has nowhere else to go.
      _ = unsafe SystemCall.writeOnce(2, base, buffer.count)
    }
  }
}
