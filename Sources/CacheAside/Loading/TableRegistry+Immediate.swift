extension TableRegistry {
  /// The table of the immediate form and of key closures.
  @usableFromInline
  func table<Value: Sendable>(_ value: Value.Type) -> Cache<CacheKey, Value> {
    let table = table(CacheKey.self, value, strategy: .identity)
    memo.insert(TableMemo.identity(of: value), table)
    return table
  }

  /// A fresh value from the memory of that table.
  ///
  /// The table is borrowed: it is referred to weakly as well, which makes its reference count slow.
  @inlinable @inline(__always)
  func probe<Value: Sendable>(_ key: CacheKey, _ value: Value.Type) -> Value? {
    let known = unsafe memo.find(TableMemo.identity(of: value), as: Cache<CacheKey, Value>.self)
    guard let known = unsafe known else { return table(value).probeByMode(key) }
    return unsafe known._withUnsafeGuaranteedRef { $0.probeByMode(key) }
  }
}
