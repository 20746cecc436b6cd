import CacheAside
import CacheAsideTesting

/// What is tested: which stores, how much memory, which windows.
struct Setup: Sendable {
  enum Tier: Sendable {
    /// Files, in a folder that outlives the caches.
    case disk
    /// A store that suspends, and whose writes can be held; it outlives the caches too.
    case slow
  }

  let name: String
  /// How many entries memory has room for; `nil` for all.
  var memory: Int?
  var tiers: [Tier] = []
  /// Seconds.
  var staleWhileRevalidate = 0
  var staleIfError = 0
  /// How many caches share the stores, each as if it were a process of its own.
  var instances = 1

  /// Whether an entry may be gone although nobody removed it.
  var mayLose: Bool { tiers.isEmpty && memory != nil }

  var hasWindows: Bool { staleWhileRevalidate > 0 || staleIfError > 0 }

  static let all: [Setup] = [
    Setup(name: "memory"),
    Setup(name: "memory.small", memory: 3),
    Setup(name: "memory.windows", staleWhileRevalidate: 3, staleIfError: 6),
    Setup(name: "memory+disk", tiers: [.disk]),
    Setup(name: "disk", memory: 0, tiers: [.disk]),
    Setup(name: "memory.small+disk.windows", memory: 2, tiers: [.disk], staleIfError: 6),
    Setup(name: "memory+slow", tiers: [.slow]),
    Setup(name: "slow", memory: 0, tiers: [.slow]),
    Setup(name: "memory.small+slow.windows", memory: 2, tiers: [.slow], staleWhileRevalidate: 3),
    Setup(name: "memory+disk+slow", tiers: [.disk, .slow]),
    Setup(name: "memory.small+slow+disk", memory: 2, tiers: [.slow, .disk]),
    Setup(name: "disk.twice", memory: 0, tiers: [.disk], instances: 2),
  ]
}
