import CacheAside

/// The caches that the forms without a feature use, with room for all keys.
enum SharedCaches {
  static let caches = Result {
    let caches = try make()
    try Caches.bootstrap(caches)
    return caches
  }

  /// Caches whose features have room for all keys.
  static func make() throws -> Caches {
    try Caches {
      Feature("default") { Memory(.count(2 * Workload.keyCount)) }
      Feature("hits") { Memory(.count(2 * Workload.keyCount)) }
    }
  }
}
