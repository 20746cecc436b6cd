/// A key with the hash that its caller computed.
struct HashedKey<Key: Hashable & Sendable>: Hashable, Sendable {
  let key: Key
  let hash: UInt64

  static func == (one: HashedKey, other: HashedKey) -> Bool {
    one.hash == other.hash && one.key == other.key
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
