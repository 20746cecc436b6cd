/// The requests of a trace, with its keys numbered in the order of their first appearance.
struct Trace {
  private(set) var requests: [Int] = []
  /// The number that each key has in the trace.
  private(set) var keys: [UInt64] = []
  /// The hash of each key.
  private(set) var hashes: [UInt64] = []
  private var numbers: [UInt64: Int] = [:]
  private var fingerprints: Set<UInt32> = []

  /// A trace of small numbers.
  init(_ keys: [Int]) { for key in keys { append(UInt64(key)) } }

  /// Reads standard input: one decimal number a line.
  static func read() -> Trace {
    var trace = Trace([])
    while let line = readLine() {
      guard let key = UInt64(line) else { continue }
      trace.append(key)
    }
    return trace
  }

  private mutating func append(_ key: UInt64) {
    let number = numbers[key] ?? hashes.count
    if number == hashes.count {
      numbers[key] = number
      keys.append(key)
      hashes.append(hash(of: key))
    }
    requests.append(number)
  }

  /// The hash of a new key.
  ///
  /// The reference knows its ghosts by their keys, the core by the lower half of a hash. Of keys
  /// that agree in it, later ones differ in bits that no sketch of less than 2²⁷ entries looks at.
  private mutating func hash(of key: UInt64) -> UInt64 {
    let hash = splitmix64(key)
    for change in 0..<UInt64(256) {
      let distinct = hash ^ change << 24
      if fingerprints.insert(UInt32(truncatingIfNeeded: distinct)).inserted { return distinct }
    }
    return hash
  }
}
