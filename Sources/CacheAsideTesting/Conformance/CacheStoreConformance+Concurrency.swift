// Checks: concurrent operations, and a long random history.
import CacheAside

extension CacheStoreConformance.Trial {
  private static var taskCount: Int { 8 }
  private static var rounds: Int { 250 }

  func oneKeyManyTasks() async throws {
    let key = key("shared")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<Self.taskCount {
        group.addTask {
          for round in 0..<Self.rounds {
            try await store.set(entry(Self.stamp(task, round)), for: key)
            let read = try await store.entry(for: key)
            expect(
              read.flatMap(Self.readStamp) != nil,
              read == nil ? "a written key reads as absent" : "a reader got a torn value"
            )
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try await store.entry(for: key).flatMap(Self.readStamp)
    expect(
      last?.round == Self.rounds - 1,
      "the value at the end is no task's last write: \(last.map { "\($0)" } ?? "nothing")"
    )
  }

  func manyKeysManyTasks() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<Self.taskCount {
        group.addTask {
          for round in 0..<Self.rounds {
            let key = key("task \(task), key \(round % 16)")
            let written = entry(Self.stamp(task, round))
            try await store.set(written, for: key)
            try await expectEntry(written, for: key, "written by one task only")
            if round % 5 == 0 {
              try await store.remove(key)
              try await expectEntry(nil, for: key, "removed by its only writer")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for task in 0..<Self.taskCount {
      for round in (Self.rounds - 16)..<Self.rounds {
        let expected = round % 5 == 0 ? nil : entry(Self.stamp(task, round))
        try await expectEntry(expected, for: key("task \(task), key \(round % 16)"), "at the end")
      }
    }
  }

  func oneCompareAndDelete() async throws {
    guard store.capabilities.contains(.compareAndDelete) else { return }
    for round in 0..<50 {
      let written = entry("round \(round)")
      try await store.set(written, for: key("contested"))
      let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<Self.taskCount {
          group.addTask { try await store.remove(key("contested"), ifUnchanged: written) }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      expect(wins == 1, "\(wins) of \(Self.taskCount) compare-and-deletes say they removed it")
      try await expectEntry(nil, for: key("contested"), "after all of them")
    }
  }

  func likeADictionary() async throws {
    var random = SplitMix64(seed: 42)
    var model: [CacheKey: CacheEntry] = [:]
    let namespaces = ["one", "two", "three"].map { Namespace($0) }
    for step in 0..<1_000 {
      let namespace = namespaces[Int.random(in: 0..<3, using: &random)]
      let key = key("key \(Int.random(in: 0..<8, using: &random))", in: namespace)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40:
        let written = entry(Self.stamp(0, step))
        try await store.set(written, for: key)
        model[key] = written
      case 40..<55:
        try await store.remove(key)
        model[key] = nil
      case 55..<65:
        let supposed = Bool.random(using: &random) ? model[key] : entry("another")
        let removed = try await store.remove(key, ifUnchanged: supposed ?? entry("nothing"))
        let expected = model[key] != nil && supposed == model[key]
        expect(removed == expected, "step \(step): compare-and-delete answers \(removed)")
        if expected { model[key] = nil }
      case 65..<67:
        try await store.removeAll(in: namespace)
        model = model.filter { $0.key.namespace != namespace }
      default:
        break
      }
      try await expectEntry(model[key], for: key, "step \(step)")
    }
  }

  // MARK: Values that show tearing

  /// Bytes that say who wrote them when, of varying length, every byte bound to the others.
  private static func stamp(_ task: Int, _ round: Int) -> [UInt8] {
    let length = 8 + (task * 131 + round * 17) % 2_000
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: task &* 37 &+ round), count: length)
    bytes[0] = UInt8(task)
    bytes[1] = UInt8(truncatingIfNeeded: round)
    bytes[2] = UInt8(truncatingIfNeeded: round >> 8)
    return bytes
  }

  private static func readStamp(_ entry: CacheEntry) -> (task: Int, round: Int)? {
    guard let bytes = entry.payload, bytes.count >= 8 else { return nil }
    let (task, round) = (Int(bytes[0]), Int(bytes[1]) | Int(bytes[2]) << 8)
    return bytes == stamp(task, round) ? (task, round) : nil
  }
}
