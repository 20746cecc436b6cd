// A process that is killed. It overwrites and removes keys, reports each operation before it begins
// (`b`) and after it was acknowledged (`a`), and checks what it reads:
//
//   b s owned/0/17 3000000042     about to set this version
//   a s owned/0/17 3000000042     set has returned
//   b r owned/0/17 3000000043     about to remove
//   x <sentence>                  a violation that the worker itself has seen
//
// A line is one `write` below PIPE_BUF, so it is there whole or not at all.
import CacheAside

struct Worker: Sendable {
  let cache: Cache<String, [UInt8]>
  let identity: Int
  let round: Int
  let seed: UInt64
  /// Whether a limit may take away what was just stored.
  let mayEvict: Bool

  /// Works until it is killed.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<Setup.lanes { group.addTask { try await work(lane) } }
      try await group.waitForAll()
    }
  }

  private func work(_ lane: Int) async throws {
    var random = SplitMix64(state: seed &+ UInt64(lane) &* 1_000_003)
    var version = round * 10_000_000 + lane * 5_000_000
    let own = Array(stride(from: lane, to: Setup.ownedKeys, by: Setup.lanes))
    while true {
      version += 1
      if random.next() % 4 == 0 {
        try await touchShared(
          Setup.sharedKey(Int(random.next() % UInt64(Setup.sharedKeys))),
          version,
          &random
        )
        continue
      }
      let key = Setup.ownedKey(identity, own[Int(random.next() % UInt64(own.count))])
      if random.next() % 4 == 0 {
        report("b r \(key) \(version)")
        try await remove(key, &random)
        report("a r \(key) \(version)")
        if cache[key] != nil { report("x \(key) is still there after its removal") }
      } else {
        let stamp = Stamp(key: key, writer: identity, version: version)
        report("b s \(key) \(version)")
        try await set(key, stamp.bytes, &random)
        report("a s \(key) \(version)")
        check(cache[key], key, isOnly: stamp)
      }
    }
  }

  private func set(_ key: String, _ bytes: [UInt8], _ random: inout SplitMix64) async throws {
    switch random.next() % 4 {
    case 0: cache[key] = bytes
    case 1: try cache.setBlocking(bytes, for: key)
    case 2: try await cache.set(bytes, for: key)
    default: try await cache.refresh(key) { bytes }
    }
  }

  private func remove(_ key: String, _ random: inout SplitMix64) async throws {
    switch random.next() % 4 {
    case 0: cache[key] = nil
    case 1: try cache.removeBlocking(key)
    case 2: try await cache.remove(key)
    default: try await cache.expire(key)
    }
  }

  private func touchShared(_ key: String, _ version: Int, _ random: inout SplitMix64) async throws {
    switch random.next() % 8 {
    case 0: try await remove(key, &random)
    case 1..<4:
      let stamp = Stamp(key: key, writer: identity, version: version)
      try await set(key, stamp.bytes, &random)
    default: check(try await cache.value(for: key), key, isOnly: nil)
    }
  }

  /// Checks what was read: whole, and of an own key the newest; absent only where it may be.
  private func check(_ bytes: [UInt8]?, _ key: String, isOnly expected: Stamp?) {
    guard let bytes else {
      if expected != nil && !mayEvict { report("x \(key) is gone after it was set") }
      return
    }
    let stamp = Stamp(bytes)
    if stamp == nil || stamp?.key != key || (expected != nil && stamp != expected) {
      report("x \(key) reads as \(stamp.map { "\($0)" } ?? "\(bytes.count) torn bytes")")
    }
  }

  private func report(_ line: String) { writeLine(line, to: 1) }
}
