import CacheAside
import CacheAsideTesting
import Synchronization

extension Episode {
  // MARK: Loading

  func load(
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
  func judge(
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
        (error as? CacheError)?.code == .backingOff && setup.hasWindows
      let isOwn = error is Source.Failure && fails
      guard isBackingOff || isOwn else {
        throw Violation(description: "a load threw \(error), but \(model.text(place))")
      }
      // The stale value of a function helps the function alone.
      guard mayMiss, world.readsFail || place.isNamed || !model.mustHelp(place) else {
        throw Violation(description: "a load failed, but \(model.text(place))")
      }
    }
    guard runs <= 1 else { throw Violation(description: "a load ran \(runs) times: \(place)") }
    if !reads || runs > 0 { model.close(place, by: current) }
    if runs > 0, !fails { model.store(entry, place, mayFail: writesMayFail) }
  }

  func loadMany(_ keys: [Int], scope: Int, ttl: Int) async throws {
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
  func begin(_ place: Place, ttl: Int, tags: [Int]) async throws {
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

  func finish(_ index: Int) async throws {
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
}
