// A binary heap whose elements know where they lie, so that each can leave, or move when its rank
// changes, in O(log n).

/// What an ``IndexedHeap`` holds.
protocol HeapElement {
  /// Whether it leaves the heap before another; no two are of one rank.
  func isBefore(_ other: Self) -> Bool

  /// Notes where it lies; `nil` when it has left the heap.
  func lies(at index: Int?)
}

/// Elements of which the first by rank is at hand.
struct IndexedHeap<Element: HeapElement> {
  private var elements: [Element] = []

  var count: Int { elements.count }

  /// The first by rank.
  var first: Element? { elements.first }

  /// An element by its place.
  subscript(index: Int) -> Element { elements[index] }

  /// Adds an element.
  ///
  /// O(log n); O(1) for the last by rank.
  mutating func add(_ element: Element) {
    WorkLog.count(.entry)
    elements.append(element)
    rise(elements.count - 1)
  }

  /// Takes out the first.
  ///
  /// O(log n).
  mutating func popFirst() -> Element? { elements.isEmpty ? nil : remove(at: 0) }

  /// Takes out an element by its place.
  ///
  /// O(log n).
  mutating func remove(at index: Int) -> Element {
    WorkLog.count(.entry)
    let removed = elements[index]
    removed.lies(at: nil)
    let last = elements.removeLast()
    if index < elements.count { settle(last, at: index) }
    return removed
  }

  /// Puts an element in the place of what it was before its rank changed.
  ///
  /// O(log n).
  mutating func replace(at index: Int, with element: Element) { settle(element, at: index) }

  private mutating func settle(_ element: Element, at index: Int) {
    elements[index] = element
    sink(rise(index))
  }

  /// Moves an element towards the front until none before it is later.
  @discardableResult
  private mutating func rise(_ start: Int) -> Int {
    var index = start
    let element = elements[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard element.isBefore(elements[parent]) else { break }
      put(elements[parent], at: index)
      index = parent
    }
    put(element, at: index)
    return index
  }

  /// Moves an element towards the end until none behind it is earlier.
  private mutating func sink(_ start: Int) {
    var index = start
    let element = elements[index]
    while true {
      var child = 2 * index + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1].isBefore(elements[child]) { child += 1 }
      guard elements[child].isBefore(element) else { break }
      put(elements[child], at: index)
      index = child
    }
    put(element, at: index)
  }

  private mutating func put(_ element: Element, at index: Int) {
    WorkLog.count(.entry)
    elements[index] = element
    element.lies(at: index)
  }
}
