import CacheAside

extension Episode {
  // MARK: Reading

  func check(_ got: Int?, _ allowed: Set<Int?>, _ place: Place, _ verb: String) throws {
    guard !allowed.contains(got) else { return }
    let text = got.map(String.init) ?? "nothing"
    throw Violation(description: "\(verb) returned \(text), but \(model.text(place))")
  }

  func read(_ form: ReadForm, _ place: Place) async throws {
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

  func readMany(_ places: [Place]) async throws {
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

  func list(_ scope: Int) async throws {
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
      // Memory lists what this cache holds; a function has entries of its own.
      if world.readsFail || place.isNamed { allowed.insert(nil) }
      try check(values.removeValue(forKey: instance.key(place)), allowed, place, "entries")
    }
    guard values.isEmpty else {
      throw Violation(description: "entries lists \(values), which nobody stored")
    }
  }
}
