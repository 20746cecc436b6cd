import CacheAside

extension Episode {
  // MARK: Writing

  func write(
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
  func settleQueue(_ place: Place? = nil) async throws {
    guard world.setup.tiers.contains(.slow) else { return }
    if !world.isHeld { return try await settle() }
    // Until it is written the store is passed over.
    if let place { model.queued.insert(place) }
  }

  func remove(_ form: RemoveForm, _ place: Place) async throws {
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

  func expire(_ place: Place) async throws {
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

  func selector(_ selection: Selection) -> CacheSelector {
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

  static func selects(_ selection: Selection, _ place: Place, _ entry: Model.Entry) -> Bool {
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

  func invalidate(_ selection: Selection, _ blocking: Bool) async throws {
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
    if world.fault != nil || world.isHeld { model.blurredAt = model.now }
    model.remove(mayFail: !isDone || world.fault != nil) { Self.selects(selection, $0, $1) }
    if case .keysBelow = selection {
      // Until it is done, nothing is read from a store of which nobody can say what it selects.
      if world.fault != nil { model.mayLoseAll() }
      if world.isHeld { model.queued.formUnion(Place.all) }
    }
    if blocking { try await settleQueue() }
  }

  func expireMany(_ selection: Selection) async throws {
    guard !world.isHeld else { return }
    let instance = instance
    let selector = selector(selection)
    let isDone = try await changing { try await instance.cache.expire(selector) }
    closeLoads(selection)
    if world.fault != nil || world.isHeld { model.blurredAt = model.now }
    model.expire(mayFail: !isDone || world.fault != nil) { Self.selects(selection, $0, $1) }
    if case .keysBelow = selection, world.fault != nil { model.mayLoseAll() }
  }

  func closeLoads(_ selection: Selection) {
    if case .keysBelow = selection {
      // Nobody can say whether what is being loaded would meet the condition.
      return model.close(by: current, reachesOthers: false) { _, _ in true }
    }
    model.close(by: current, reachesOthers: world.fault == nil) {
      Self.selects(selection, $0, $1)
    }
  }
}
