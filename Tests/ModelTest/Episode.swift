import CacheAside
import CacheAsideTesting
import Synchronization

// One sequence of steps on caches made for it, and on the model; after each step what the caches
// returned is compared with what the model allows. A step that makes no sense where it stands does
// nothing, so that any part of a sequence is a sequence too.

/// What is wrong with what the caches did.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

final class Episode {
  /// What a held load came to.
  final class Answer: Sendable {
    let result = Mutex<Result<Int, any Error>?>(nil)
    let gate = Gate()
  }

  let world: World
  var model: Model
  var current = 0
  var lastValue = 0
  var answers: [Answer] = []

  init(_ setup: Setup, folder: String, clock: ManualClock) throws {
    world = try World(setup, folder: folder, clock: clock)
    model = Model(setup)
  }

  var setup: Setup { world.setup }
  var instance: Instance { world.instances[current] }
  var writesMayFail: Bool { world.fault == 1 || world.fault == 2 }

  func newValue() -> Int {
    lastValue += 1
    return lastValue
  }

  func scope(_ place: Place) -> CacheScope { World.scopes[place.scope] }

  static func tags(_ numbers: [Int]) -> [Tag] { numbers.map { Tag("t\($0)") } }

  static func expiry(_ ttl: Int) -> Expiry { ttl == 0 ? .never : .seconds(Double(ttl)) }

  func entry(_ value: Int, ttl: Int, tags: [Int]) -> Model.Entry {
    Model.Entry(
      value: value,
      freshUntil: Model.freshUntil(ttl, from: model.now),
      tags: Set(tags)
    )
  }

  // MARK: A sequence

  /// Does the steps.
  ///
  /// - Returns: what is wrong, and after how many steps.
  func run(_ steps: [Step]) async -> (violation: Violation, count: Int)? {
    for (index, step) in steps.enumerated() {
      Runner.underWay.withLock { $0.step = index }
      do { try await perform(step) } catch let violation as Violation {
        return (violation, index + 1)
      } catch {
        return (Violation(description: "threw \(error)"), index + 1)
      }
    }
    do { try await end() } catch { return (Violation(description: "\(error)"), steps.count) }
    return nil
  }

  func end() async throws {
    world.heal()
    for index in model.pendings.indices.reversed() { try await finish(index) }
    for instance in world.instances { try await instance.caches.close() }
  }

  func settle() async throws {
    // What is held is not waited for.
    try await world.clock.settle()
  }

  func perform(_ step: Step) async throws {
    switch step {
    case .read(let form, let place): try await read(form, place)
    case .readMany(let places): try await readMany(places)
    case .list(let scope): try await list(scope)
    case .load(let form, let place, let ttl, let tags):
      if !world.isHeld { try await load(form, place, ttl: ttl, tags: tags) }
    case .loadMany(let keys, let scope, let ttl):
      if !world.isHeld { try await loadMany(keys, scope: scope, ttl: ttl) }
    case .begin(let place, let ttl, let tags):
      if !world.isHeld { try await begin(place, ttl: ttl, tags: tags) }
    case .finish(let number):
      if !world.isHeld, !model.pendings.isEmpty {
        try await finish(number % model.pendings.count)
      }
    case .write(let form, let place, let ttl, let tags):
      try await write(form, place, ttl: ttl, tags: tags)
    case .remove(let form, let place): try await remove(form, place)
    case .expire(let place): try await expire(place)
    case .invalidate(let selection, let blocking): try await invalidate(selection, blocking)
    case .expireMany(let selection): try await expireMany(selection)
    case .removeManyTags(let count):
      for number in 0..<count {
        try await changing { try instance.cache.removeBlocking(.tag(Tag("x\(number)"))) }
      }
      if world.fault != nil, count > StepGenerator.keptApart {
        // Beyond its bound a tier removes everything instead.
        model.blurredAt = model.now
        model.mayLoseAll()
      }
    case .removeExpired:
      if !world.isHeld {
        try await changing { _ = try await instance.cache.removeExpired() }
        model.removeExpired(mayFail: world.fault != nil)
      }
    case .dropMemory:
      instance.feature.removeAllFromMemory()
      model.dropMemory()
    case .advance(let quarters):
      if !world.isHeld {
        try await world.clock.advance(by: .milliseconds(250 * quarters))
        model.advance(quarters)
      }
    case .flush:
      if !world.isHeld { try await changing { try await instance.caches.flush() } }
    case .reopen(let poke): try await reopen(poke)
    case .hold:
      if setup.tiers.last == .slow, !world.isHeld, !world.hasFailed {
        try await settle()
        world.hold()
      }
    case .release:
      if world.isHeld { try await release() }
    case .fault(let number):
      if !setup.tiers.isEmpty, !world.isHeld, world.fault == nil {
        try await settle()
        world.inject(number)
      }
    case .heal:
      if world.fault != nil {
        try await settle()
        world.heal()
      }
    case .switchInstance:
      current = (current + 1) % world.instances.count
      // What another process does comes later, if only by the smallest step of its clock.
      if !world.isHeld { try await world.clock.advance(by: .microseconds(1)) }
    }
  }

  func release() async throws {
    world.heal()
    try await settle()
    model.queued = []
  }

  /// Does what may throw a failed removal while there is a fault, and nothing else.
  @discardableResult
  func changing(_ body: () async throws -> Void) async throws -> Bool {
    do { try await body() } catch let error as CacheError {
      guard world.fault != nil, error.code == .removalFailed else {
        throw Violation(description: "threw \(error)")
      }
      return false
    }
    return true
  }

  // MARK: Ends

  func reopen(_ poke: Place?) async throws {
    try await release()
    let old = instance
    for instance in world.instances { try await instance.caches.close() }
    if let poke {
      // What is acknowledged now must be there later.
      let value = newValue()
      let key = old.key(poke)
      var isStored = true
      do {
        try await Caches.withScope(scope(poke)) { try await old.cache.set(value, for: key) }
      } catch let error as CacheError where error.code == .closed {
        isStored = false
      }
      if isStored { model.store(entry(value, ttl: 0, tags: []), poke, mayFail: false) }
    }
    try world.open()
    model.reopen()
  }
}

/// Counts.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
