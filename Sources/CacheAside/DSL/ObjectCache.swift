/// A cache by `String` with the names of AwesomeCache.
///
/// Everything below is synchronous and works on the calling thread over memory and disk. What
/// cannot throw reports failures as events; `remove(_:)`, `set(_:for:)` and the other methods of
/// ``Cache`` throw instead.
public typealias ObjectCache<Value: Sendable> = Cache<String, Value>

extension Cache where Key == String {
  /// Stores an object in memory and on disk.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - key: its key.
  ///   - expires: how long it stays fresh; what has expired already is kept as such where the cache
  ///     keeps what has expired, and removes the key elsewhere.
  public func setObject(_ object: Value, forKey key: String, expires: Expiry = .never) {
    setQuietly(object, for: key, expiry: expires)
  }

  /// The object of a key, if it is fresh.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - returnExpiredObjectIfPresent: whether to return it also when it has expired.
  /// - Returns: the object, or `nil`; `outcome` and `entry(for:)` tell how old it is.
  public func object(
    forKey key: String,
    returnExpiredObjectIfPresent: Bool = false
  ) -> Value? {
    guard returnExpiredObjectIfPresent else { return self[key] }
    return probe(key) ?? readBlocking(key, anyAge: true)?.value
  }

  /// All objects, from memory and disk, in no particular order.
  ///
  /// - Parameter includeExpired: whether to include those that have expired.
  /// - Returns: one object a key.
  /// - Complexity: O(n); reads every file.
  public func allObjects(includeExpired: Bool = false) -> [Value] {
    entriesBlocking(includeExpired: includeExpired).map(\.value)
  }

  /// Whether a fresh object is in memory.
  ///
  /// - Parameter key: its key.
  /// - Returns: whether a read would not touch the disk.
  public func isOnMemory(forKey key: String) -> Bool { peek(key) != nil }

  /// Removes an object from memory and disk.
  ///
  /// - Parameter key: its key.
  public func removeObject(forKey key: String) { setQuietly(nil, for: key) }

  /// Removes all objects from memory and disk.
  ///
  /// - Parameter completion: called when they are gone, on this thread.
  public func removeAllObjects(_ completion: (() -> Void)? = nil) {
    // A failure was reported by the store that had it, and nothing is served from there.
    if !core.reportIfClosed(.removalFailed) { do { try removeAllBlocking() } catch {} }
    completion?()
  }

  /// Removes the objects that have expired from memory and disk.
  public func removeExpiredObjects() { removeExpiredBlocking() }
}
