import CacheAside

/// The shapes of callables that `cached` makes.
enum CallableShape: String, CaseIterable, Sendable {
  case named, namedProduced, keyed, keyedProduced, part, partProduced, triple, tripleProduced
  case keyedTriple

  /// A callable of this shape in a feature.
  func callable(
    in feature: CacheFeature,
    expiry: Expiry? = nil,
    policy: CachePolicy? = nil,
    _ run: @escaping @concurrent @Sendable (Int) async throws -> Int
  ) -> Callable {
    switch self {
    case .named: Callable(feature.cached("f", expiry: expiry, policy: policy, run))
    case .namedProduced:
      Callable(
        feature.cached("f", expiry: expiry, policy: policy) { (number: Int) in
          Produced(try await run(number))
        }
      )
    case .keyed: Callable(feature.cached(key: { "f/\($0)" }, expiry: expiry, policy: policy, run))
    case .keyedProduced:
      Callable(
        feature.cached(key: { "f/\($0)" }, expiry: expiry, policy: policy) { (number: Int) in
          Produced(try await run(number))
        }
      )
    case .part: Callable(feature.cached("f", by: { $0 * 2 }, expiry: expiry, policy: policy, run))
    case .partProduced:
      Callable(
        feature.cached("f", by: { $0 * 2 }, expiry: expiry, policy: policy) { (number: Int) in
          Produced(try await run(number))
        }
      )
    case .triple:
      Callable(
        feature.cached("f", expiry: expiry, policy: policy) { (_: String, number: Int, _: Bool) in
          try await run(number)
        }
      )
    case .tripleProduced:
      Callable(
        feature.cached("f", expiry: expiry, policy: policy) { (_: String, number: Int, _: Bool) in
          Produced(try await run(number))
        }
      )
    case .keyedTriple:
      Callable(
        feature.cached(key: { "f/\($0)/\($1)/\($2)" }, expiry: expiry, policy: policy) {
          (_: String, number: Int, _: Bool) in try await run(number)
        }
      )
    }
  }
}
