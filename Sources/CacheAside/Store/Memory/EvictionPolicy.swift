/// Which entry leaves memory when there is no room.
public enum EvictionPolicy: Hashable, Sendable, CaseIterable {
  /// Lazy-TinyLFU: admission by frequency, a window tuned by near misses; the default.
  case lazyTinyLFU
  /// The least recently used entry; a hit moves its entry in a list.
  case lru
  /// The entry that was stored first.
  case fifo
}
