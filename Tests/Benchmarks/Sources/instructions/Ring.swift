/// A dictionary whose keys stand in a ring, so that the oldest leaves.
struct Ring {
  var values: [Int: Int] = [:]
  var keys: [Int]
  var next = 0

  init(places: Int) { keys = Array(repeating: -1, count: places) }
}
