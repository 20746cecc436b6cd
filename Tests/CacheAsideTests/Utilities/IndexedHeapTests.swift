import Synchronization
import Testing

@testable import CacheAside
@testable import CacheAsideTesting

@Suite(.timeLimit(.minutes(60)))
struct IndexedHeapTests {
  private final class Item: HeapElement, Sendable {
    let rank: Int
    let number: Int
    let index = Lock<Int?>(nil)

    init(_ rank: Int, _ number: Int) {
      self.rank = rank
      self.number = number
    }

    var place: Int? { index.withLock { $0 } }

    func isBefore(_ other: Item) -> Bool { (rank, number) < (other.rank, other.number) }
    func lies(at index: Int?) { self.index.withLock { $0 = index } }
  }

  @Test func `elements leave by rank, whatever leaves and moves meanwhile`() {
    var heap = IndexedHeap<Item>()
    var random = SplitMix64(seed: 5)
    var model: [Item] = []
    for number in 0..<3_000 {
      let index = model.isEmpty ? nil : Int(random.next() % UInt64(model.count))
      let rank = Int(random.next() % 200)
      switch (random.next() % 6, index) {
      case (0...1, let index?):
        let item = model.remove(at: index)
        #expect(item.place.map { heap.remove(at: $0) === item } == true)
        #expect(item.place == nil)
      case (2, let index?):
        let item = Item(rank, number)
        if let place = model[index].place { heap.replace(at: place, with: item) }
        model[index] = item
      default:
        let item = Item(rank, number)
        heap.add(item)
        model.append(item)
      }
    }
    #expect(heap.count == model.count)
    for item in model.sorted(by: { $0.isBefore($1) }) { #expect(heap.popFirst() === item) }
    #expect(heap.popFirst() == nil)
  }
}
