/// Hits of what one would write without us, against `Mutex<Dictionary>`; ours are `hit.sync`.
func peerBenchmarks() -> [Benchmark] {
  peers("int", { $0.keys }, { $0.draws }) + peers("string", { $0.strings }, { $0.stringDraws })
}

private func peers<Key: Hashable & Sendable>(
  _ suffix: String,
  _ keys: @escaping (Workload) -> [Key],
  _ draws: @escaping (Workload) -> [Key]
) -> [Benchmark] {
  typealias Make = ([Key], [Key]) async throws -> Duel.Pass
  func row(_ peer: String, _ make: @escaping Make) -> Benchmark {
    let name = "peer.\(peer).\(suffix)"
    return Benchmark(name: name) {
      let (keys, draws) = (keys(.shared), draws(.shared))
      let dictionary = LockedDictionary(places: keys)
      return try await Duel(
        operations: draws.count,
        baseline: { try await detached { total(draws) { dictionary[$0] } } },
        subject: try await make(keys, draws)
      ).row(name)
    }
  }
  return [
    row("lock") { keys, draws in
      let peer = LockAndDictionary(keys)
      return { try await detached { total(draws) { peer.value($0) } } }
    },
    row("actor") { keys, draws in
      let peer = ActorAndDictionary(keys)
      return {
        try await detached {
          var sum = 0
          for key in draws { sum &+= await peer.value(key) ?? 0 }
          return sum
        }
      }
    },
    row("tasks") { keys, draws in
      let peer = ActorAndTasks<Key>()
      for key in keys { sink(try await peer.value(key) { _ in 1 }) }
      return {
        try await detached {
          var sum = 0
          for key in draws { sum &+= try await peer.value(key) { _ in 1 } }
          return sum
        }
      }
    },
    row("nscache") { keys, draws in
      let peer = SystemCache(keys)
      return { try await detached { total(draws) { peer.value($0) } } }
    },
  ]
}
