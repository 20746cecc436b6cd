import CacheAside

/// What the process holds at a moment.
struct Sample {
  let seconds: Double
  /// `nil` where the system does not say.
  let kilobytes: Int?
  let descriptors: Int?
  let threads: Int?
  /// Deadlines that have not come, and tasks that sleep until the next of them.
  let deadlines: Int
  let sleepers: Int
  let flights: Int
  let waiters: Int
  let operations: Int

  static let header = """
    seconds  resident kB  descriptors  threads  deadlines  sleepers  flights  waiters  operations
    """

  var row: String {
    func field(_ value: Int?, _ width: Int) -> String {
      let text = value.map { String($0) } ?? "-"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    var row = field(Int(seconds.rounded()), 7)
    row += field(kilobytes, 13) + field(descriptors, 13)
    row += field(threads, 9) + field(deadlines, 11)
    row += field(sleepers, 10) + field(flights, 9)
    return row + field(waiters, 9) + field(operations, 12)
  }
}

/// What has grown.
///
/// - Parameters:
///   - samples: in their order.
///   - rest: after everything was closed.
///   - seconds: from when on nothing may grow.
///   - judgesSize: whether the process had time to become as large as it gets.
/// - Returns: the faults.
func judge(_ samples: [Sample], _ rest: Sample, from seconds: Double, judgesSize: Bool) -> [String]
{
  var faults: [String] = []
  let late = samples.filter { $0.seconds >= seconds - 0.5 }
  guard let first = late.first, let last = late.last, late.count > 1 else {
    return ["there are too few samples"]
  }
  // The lowest of two: what the allocator holds back for a while is no growth.
  let sizes = late.compactMap(\.kilobytes)
  if judgesSize, let before = sizes.prefix(2).max(), let after = sizes.suffix(2).min(),
    after > before + before / 10
  {
    faults.append("the process has grown from \(before) to \(after) kB")
  }
  if let before = first.descriptors, let after = last.descriptors, after > before + 16 {
    faults.append("\(after) descriptors are open, and \(before) were")
  }
  if let most = late.compactMap(\.threads).max(), most > 300 { faults.append("\(most) threads") }
  let sleepers = late.map(\.sleepers).max() ?? 0
  if sleepers > 40 { faults.append("\(sleepers) sleepers of one clock") }
  // A load has a limit, its caller two, and a user of the soak sleeps.
  for sample in late where sample.deadlines > 4 * (sample.flights + sample.waiters) + 64 {
    faults.append(
      "\(sample.deadlines) deadlines, with \(sample.flights) loads, after \(sample.seconds) s"
    )
  }
  if rest.flights + rest.waiters > 0 { faults.append("loads are left: \(rest.flights)") }
  if rest.deadlines > 8 { faults.append("\(rest.deadlines) deadlines are left") }
  return faults
}
