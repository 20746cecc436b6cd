import Foundation

/// One line of `hit-ratios.tsv`: the hit ratios in percent of a trace at one size.
struct HitRatioCell {
  let trace: String
  let size: Int
  let lru: Double
  let lazyTinyLFU: Double
  let caffeine: Double
  let clairvoyant: Double
  /// Whether other hashes of the keys move the figure by more than half a point.
  let isMarked: Bool

  /// How far the store may be from the reference, in points.
  var tolerance: Double { isMarked ? 1.5 : 0.5 }
}

/// What the hit ratios on the recorded traces are held against.
enum HitRatioReference {
  /// The folder of the benchmarks' package.
  static let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  static func cells() throws -> [HitRatioCell] {
    let file = package.appendingPathComponent("hit-ratios.tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("trace\t") }
      .map { line in
        let fields = line.split(separator: "\t").map(String.init)
        let numbers = fields.dropFirst().dropLast().compactMap(Double.init)
        guard fields.count == 7, numbers.count == 5 else {
          throw BenchmarkFailure("\(file.path) has a line that is no cell: \(line)")
        }
        return HitRatioCell(
          trace: fields[0],
          size: Int(numbers[0]),
          lru: numbers[1],
          lazyTinyLFU: numbers[2],
          caffeine: numbers[3],
          clairvoyant: numbers[4],
          isMarked: fields[6] == "*"
        )
      }
  }
}
