/// A queue that hands out first what came first.
///
/// Both operations are amortised O(1). What was taken is released at once, and the room that it left
/// is reused while others wait.
struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var next = 0

  /// How many wait.
  var count: Int { elements.count - next }

  /// The one that is taken next.
  var first: Element? { next < elements.count ? elements[next] : nil }

  /// Adds one at the end.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the one that has waited longest.
  mutating func popFirst() -> Element? {
    guard next < elements.count else { return nil }
    let element = elements[next].take()
    next += 1
    if next == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 1_024)
      next = 0
    } else if next >= 1_024, next * 2 >= elements.count {
      elements.removeFirst(next)
      next = 0
    }
    return element
  }
}
