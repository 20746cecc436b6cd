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

  private let world: World
  var model: Model
  private var current = 0
  private var lastValue = 0
  private var answers: [Answer] = []

  init(_ setup: Setup, folder: String, clock: ManualClock) throws {
    world = try World(setup, folder: folder, clock: clock)
    model = Model(setup)
  }

  private var setup: Setup { world.setup }
  var instance: Instance { world.instances[current] }
  private var writesMayFail: Bool { world.fault == 1 || world.fault == 2 }

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

  private func end() async throws {
    world.heal()
    for index in model.pendings.indices.reversed() { try await finish(index) }
    for instance in world.instances { try await instance.caches.close() }
  }

  private func settle() async throws {
    // What is held is not waited for.
    try await world.clock.settle()
  }

  private func perform(_ step: Step) async throws {
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
      if setup.tiers.contains(.slow), !world.isHeld, world.fault == nil {
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
    case .switchInstance: current = (current + 1) % world.instances.count
    }
  }

  private func release() async throws {
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

  // MARK: Reading

  private func check(_ got: Int?, _ allowed: Set<Int?>, _ place: Place, _ verb: String) throws {
    guard !allowed.contains(got) else { return }
    let text = got.map(String.init) ?? "nothing"
    throw Violation(description: "\(verb) returned \(text), but \(model.text(place))")
  }

  private func read(_ form: ReadForm, _ place: Place) async throws {
    let instance = instance
    let key = instance.key(place)
    var allowed = model.fresh(place)
    if world.readsFail { allowed.insert(nil) }
    switch form {
    case .value:
      let got = try await Caches.withScope(scope(place)) {
        try await instance.cache.value(for: key)
      }
      try check(got, allowed, place, "value")
    case .entry:
      let got = try await Caches.withScope(scope(place)) {
        try await instance.cache.entry(for: key)
      }
      try check(got?.value, allowed.union(model.anyAge(place)), place, "entry")
      if let got, got.isFresh { try check(got.value, allowed, place, "a fresh entry") }
    case .contains:
      let got = try await Caches.withScope(scope(place)) {
        try await instance.cache.contains(key)
      }
      guard got ? allowed != [nil] : allowed.contains(nil) else {
        throw Violation(description: "contains returned \(got), but \(model.text(place))")
      }
    case .peek:
      let got = Caches.withScope(scope(place)) {
        place.isNamed ? instance.fetch.peek(place.key) : instance.cache.peek(key)
      }
      allowed.insert(nil)
      try check(got, allowed, place, "peek")
    case .subscripted:
      let got = Caches.withScope(scope(place)) { instance.cache[key] }
      // It passes over stores that suspend.
      if setup.tiers.contains(.slow) { allowed.insert(nil) }
      try check(got, allowed, place, "subscript")
    case .cacheOnly:
      var got: Int?
      do {
        got = try await Caches.withScope(scope(place)) {
          try await instance.cache.outcome(key, mode: .cacheOnly) { throw Source.Failure() }.value
        }
      } catch let error as CacheError where error.code == .notCached {}
      try check(got, allowed, place, "cacheOnly")
    }
  }

  private func readMany(_ places: [Place]) async throws {
    let instance = instance
    for scope in Set(places.map(\.scope)) {
      let places = Set(places.filter { $0.scope == scope })
      let keys = places.map(instance.key)
      let got = try await Caches.withScope(World.scopes[scope]) {
        try await instance.cache.values(for: keys)
      }
      for place in places {
        var allowed = model.fresh(place)
        if world.readsFail { allowed.insert(nil) }
        try check(got[instance.key(place)], allowed, place, "values")
      }
    }
  }

  private func list(_ scope: Int) async throws {
    let instance = instance
    let listed = try await Caches.withScope(World.scopes[scope]) {
      try await instance.cache.entries()
    }
    var values: [CacheKey: Int] = [:]
    for (key, value) in listed where values.updateValue(value, forKey: key) != nil {
      throw Violation(description: "entries lists \(key) twice")
    }
    for place in Place.all where place.scope == scope {
      var allowed = model.fresh(place)
      if world.readsFail { allowed.insert(nil) }
      try check(values.removeValue(forKey: instance.key(place)), allowed, place, "entries")
    }
    guard values.isEmpty else {
      throw Violation(description: "entries lists \(values), which nobody stored")
    }
  }

  // MARK: Loading

  private func load(
    _ form: LoadForm,
    _ place: Place,
    ttl: Int,
    tags: [Int]
  ) async throws {
    guard !model.isHeld(place) else { return }
    let instance = instance
    let key = instance.key(place)
    let value = newValue()
    let number = place.key
    let source = instance.source
    source.prepare(
      number,
      Source.Answer(value: value, ttl: ttl, tags: Self.tags(tags), fails: form == .failing)
    )
    let result: Result<Int?, any Error>
    do {
      result = .success(
        try await Caches.withScope(scope(place)) { () -> Int? in
          switch form {
          case .immediate, .failing:
            return try await instance.cache.cached(key) { try source.produce(number) }
          case .named:
            guard place.isNamed else {
              return try await instance.cache.cached(key) { try source.produce(number) }
            }
            return try await instance.fetch(number)
          case .batch: return try await instance.fetchMany([number])[number]
          case .reload:
            return try await instance.cache.outcome(key, mode: .reload) {
              try source.produce(number)
            }.value
          case .refresh:
            if place.isNamed { return try await instance.fetch.refresh(number) }
            return try await instance.cache.outcome(key, mode: .reload) {
              try source.produce(number)
            }.value
          }
        }
      )
    } catch { result = .failure(error) }
    // A refresh in the background ends before the next step.
    if setup.hasWindows { try await settle() }
    try judge(
      result,
      entry(value, ttl: ttl, tags: tags),
      place,
      runs: source.runs(number),
      fails: form == .failing,
      reads: form != .reload && form != .refresh
    )
  }

  /// Compares what a load came to with what it may come to, and notes what it has stored.
  private func judge(
    _ result: Result<Int?, any Error>,
    _ entry: Model.Entry,
    _ place: Place,
    runs: Int,
    fails: Bool,
    reads: Bool
  ) throws {
    let mayMiss = !reads || model.mayMiss(place) || world.readsFail
    switch result {
    case .success(let got):
      let isProduced = got == entry.value
      if isProduced, runs == 0 || !mayMiss || fails {
        throw Violation(description: "a load ran, but \(model.text(place))")
      }
      if !isProduced, !reads || !(got.map { model.cached(place).contains($0) } ?? false) {
        let text = got.map(String.init) ?? "nothing"
        throw Violation(description: "a load returned \(text), but \(model.text(place))")
      }
    case .failure(let error):
      let isBackingOff =
        (error as? CacheError).map { "\($0.code)" } == "backingOff" && setup.hasWindows
      let isOwn = error is Source.Failure && fails
      guard isBackingOff || isOwn else {
        throw Violation(description: "a load threw \(error), but \(model.text(place))")
      }
      guard mayMiss, world.readsFail || !model.mustHelp(place) else {
        throw Violation(description: "a load failed, but \(model.text(place))")
      }
    }
    guard runs <= 1 else { throw Violation(description: "a load ran \(runs) times: \(place)") }
    if !reads || runs > 0 { model.close(place, by: current) }
    if runs > 0, !fails { model.store(entry, place, mayFail: writesMayFail) }
  }

  private func loadMany(_ keys: [Int], scope: Int, ttl: Int) async throws {
    let instance = instance
    let places = Set(keys).map { Place(key: $0, scope: scope) }.filter { !model.isHeld($0) }
      .sorted { $0.key < $1.key }
    var entries: [Place: Model.Entry] = [:]
    for place in places {
      let entry = entry(newValue(), ttl: ttl, tags: [])
      entries[place] = entry
      instance.source.prepare(place.key, Source.Answer(value: entry.value, ttl: ttl))
    }
    let outcomes = await Caches.withScope(World.scopes[scope]) {
      await instance.fetchMany.outcomes(places.map(\.key))
    }
    if setup.hasWindows { try await settle() }
    for (key, result) in outcomes {
      let place = Place(key: key, scope: scope)
      guard let entry = entries[place] else { continue }
      let runs = instance.source.runs(key)
      try judge(result, entry, place, runs: runs, fails: false, reads: true)
    }
  }

  /// Starts a load whose producer is held.
  private func begin(_ place: Place, ttl: Int, tags: [Int]) async throws {
    guard !place.isNamed, !model.isHeld(place), model.pendings.count < 4 else { return }
    let instance = instance
    let key = instance.key(place)
    let entry = entry(newValue(), ttl: ttl, tags: tags)
    let answer = Answer()
    let scope = scope(place)
    let counted = Counter()
    let load: @concurrent @Sendable () async throws -> Void = {
      let result: Result<Int, any Error>
      do {
        result = .success(
          try await Caches.withScope(scope) {
            try await instance.cache.cached(
              key,
              expiry: Self.expiry(ttl),
              tags: Self.tags(tags)
            ) { () async throws -> Int in
              counted.increment()
              await answer.gate.waitIgnoringCancellation()
              return entry.value
            }
          }
        )
      } catch { result = .failure(error) }
      answer.result.withLock { $0 = result }
    }
    world.clock.startTask(load)
    try await settle()
    let result = answer.result.withLock { $0 }
    if counted.value == 0 {
      guard let result else { throw Violation(description: "a load of \(place) hangs") }
      return try judge(
        result.map { $0 },
        entry,
        place,
        runs: 0,
        fails: false,
        reads: true
      )
    }
    if let result {
      // A stale value; the load goes on in the background.
      guard setup.hasWindows, let got = try? result.get(), model.cached(place).contains(got) else {
        throw Violation(description: "a load returned \(result), but \(model.text(place))")
      }
    } else if !model.mayMiss(place), !world.readsFail {
      throw Violation(description: "a load began, but \(model.text(place))")
    }
    answers.append(answer)
    model.pendings.append(
      Model.Pending(
        place: place,
        entry: entry,
        ttl: ttl,
        instance: current,
        isBackground: result != nil
      )
    )
  }

  private func finish(_ index: Int) async throws {
    let pending = model.pendings.remove(at: index)
    let answer = answers.remove(at: index)
    answer.gate.open()
    try await settle()
    guard let result = answer.result.withLock({ $0 }) else {
      throw Violation(description: "a load of \(pending.place) hangs after its producer has ended")
    }
    if !pending.isBackground {
      guard case .success(pending.entry.value) = result else {
        throw Violation(description: "a held load of \(pending.place) came to \(result)")
      }
    }
    var entry = pending.entry
    entry.freshUntil = Model.freshUntil(pending.ttl, from: model.now)
    switch (pending.fate, pending.isBackground) {
    case (.dropped, _): break
    case (.stored, false): model.store(entry, pending.place, mayFail: writesMayFail)
    // It has a limit of its own.
    case (.stored, true), (.either, _): model.mayStore(entry, pending.place)
    }
  }

  // MARK: Writing

  private func write(
    _ form: WriteForm,
    _ place: Place,
    ttl: Int,
    tags: [Int]
  ) async throws {
    let instance = instance
    let key = instance.key(place)
    let isBlocking = form == .subscripted || form == .setBlocking
    guard isBlocking || !world.isHeld else { return }
    let value = newValue()
    var entry = entry(value, ttl: ttl, tags: tags)
    let expiry = Self.expiry(ttl)
    let tags = Self.tags(tags)
    let scope = scope(place)
    switch form {
    case .set:
      try await Caches.withScope(scope) {
        try await instance.cache.set(value, for: key, expiry: expiry, tags: tags)
      }
    case .subscripted:
      Caches.withScope(scope) { instance.cache[key] = value }
      entry.freshUntil = .max
      entry.tags = []
    case .setBlocking:
      try Caches.withScope(scope) {
        try instance.cache.setBlocking(value, for: key, expiry: expiry, tags: tags)
      }
    case .update:
      let seen = try await Caches.withScope(scope) {
        try await instance.cache.update(key, expiry: expiry, tags: tags) { current -> Int? in
          defer { current = value }
          return current
        }
      }
      var allowed = model.fresh(place)
      if world.readsFail { allowed.insert(nil) }
      try check(seen, allowed, place, "update")
    }
    model.close(place, by: current)
    model.store(entry, place, mayFail: writesMayFail)
    if isBlocking { try await settleQueue(place) }
  }

  /// Waits for what a synchronous call has left for a store that suspends, unless that is held.
  private func settleQueue(_ place: Place? = nil) async throws {
    guard world.setup.tiers.contains(.slow) else { return }
    if !world.isHeld { return try await settle() }
    // Until it is written the store is passed over.
    if let place { model.queued.insert(place) }
  }

  private func remove(_ form: RemoveForm, _ place: Place) async throws {
    let instance = instance
    let key = instance.key(place)
    let isBlocking = form == .subscripted || form == .blocking
    guard isBlocking || !world.isHeld else { return }
    let isDone = try await changing {
      try await Caches.withScope(scope(place)) {
        switch form {
        case .remove:
          if place.isNamed {
            try await instance.fetch.remove(place.key)
          } else {
            try await instance.cache.remove(key)
          }
        case .subscripted: instance.cache[key] = nil
        case .blocking: try instance.cache.removeBlocking(key)
        case .byFeature: try await instance.feature.remove(key)
        case .bySelector: try await instance.cache.remove(.key(key))
        case .updateToNil: try await instance.cache.update(key) { $0 = nil }
        }
      }
    }
    // An update that finds nothing and leaves nothing has changed nothing.
    if form == .updateToNil { model.mayClose(place) } else { model.close(place, by: current) }
    model.remove(mayFail: !isDone || world.fault != nil) { other, _ in other == place }
    if isBlocking { try await settleQueue() }
  }

  private func expire(_ place: Place) async throws {
    guard !world.isHeld else { return }
    let instance = instance
    let key = instance.key(place)
    let isDone = try await changing {
      try await Caches.withScope(scope(place)) { try await instance.cache.expire(key) }
    }
    model.close(place, by: current)
    model.expire(mayFail: !isDone || world.fault != nil) { other, _ in other == place }
  }

  // MARK: Many

  private func selector(_ selection: Selection) -> CacheSelector {
    switch selection {
    case .tag(let tag): return .tag(Tag("t\(tag)"))
    case .anyOf(let one, let other): return .tags(anyOf: Self.tags([one, other]))
    case .allOf(let one, let other): return .tags(allOf: Self.tags([one, other]))
    case .scope(let scope): return .namespace(World.scopes[scope])
    case .keysBelow(let bound):
      let instance = instance
      let keys = Set((0..<bound).map { instance.key(Place(key: $0, scope: 0)).description })
      return .where { keys.contains($0.key.description) }
    case .everything: return .all
    }
  }

  private static func selects(_ selection: Selection, _ place: Place, _ entry: Model.Entry) -> Bool
  {
    switch selection {
    case .tag(let tag): entry.tags.contains(tag)
    case .anyOf(let one, let other): entry.tags.contains(one) || entry.tags.contains(other)
    case .allOf(let one, let other): entry.tags.contains(one) && entry.tags.contains(other)
    // The first scope is part of the third.
    case .scope(let scope): place.scope == scope || (scope == 1 && place.scope == 3)
    case .keysBelow(let bound): place.key < bound
    case .everything: true
    }
  }

  private func invalidate(_ selection: Selection, _ blocking: Bool) async throws {
    guard blocking || !world.isHeld else { return }
    let instance = instance
    let selector = selector(selection)
    let isDone = try await changing {
      if blocking {
        try instance.cache.removeBlocking(selector)
      } else {
        try await instance.cache.remove(selector)
      }
    }
    closeLoads(selection)
    model.remove(mayFail: !isDone || world.fault != nil) { Self.selects(selection, $0, $1) }
    if case .keysBelow = selection {
      // Until it is done, nothing is read from a store of which nobody can say what it selects.
      if world.fault != nil { model.mayLoseAll() }
      if world.isHeld { model.queued.formUnion(Place.all) }
    }
    if blocking { try await settleQueue() }
  }

  private func expireMany(_ selection: Selection) async throws {
    guard !world.isHeld else { return }
    let instance = instance
    let selector = selector(selection)
    let isDone = try await changing { try await instance.cache.expire(selector) }
    closeLoads(selection)
    model.expire(mayFail: !isDone || world.fault != nil) { Self.selects(selection, $0, $1) }
    if case .keysBelow = selection, world.fault != nil { model.mayLoseAll() }
  }

  private func closeLoads(_ selection: Selection) {
    if case .keysBelow = selection {
      // Nobody can say whether what is being loaded would meet the condition.
      return model.close(by: current, reachesOthers: false) { _, _ in true }
    }
    model.close(by: current, reachesOthers: world.fault == nil) {
      Self.selects(selection, $0, $1)
    }
  }

  // MARK: Ends

  private func reopen(_ poke: Place?) async throws {
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
