// How a value becomes the record that byte stores keep, and what is said of one that cannot.
//
// Whether a record gives back what was encoded is looked at for the first, second, fourth, eighth …
// write of a table, and for every one where a store's fault policy is `.fail`: encoded, decoded and
// compared. What does not come back stays in memory, as what cannot be encoded.

import Synchronization

extension Cache {
  /// The record of a value; `nil` when it cannot be encoded and stays in memory.
  ///
  /// - Parameters:
  ///   - plan: the value and its times.
  ///   - storeKey: the key as stores see it.
  ///   - failure: set when the call must fail: under the fault policy `.fail`, and when strict for a
  ///     type that has no coding.
  /// - Returns: the record.
  func encode(
    _ plan: StoringPlan<Value>,
    _ storeKey: CacheKey,
    _ failure: inout (any Error)?
  ) -> CacheEntry? {
    do {
      guard let codec else { throw UncodableType(Value.self) }
      let payload = try codec.encodeEntryPayload(plan.value)
      try check(payload, codec, plan.value)
      var entry = CacheEntry(
        payload: payload,
        codec: codec.identifier,
        type: type,
        schema: schema,
        created: plan.now.wall
      )
      plan.stamp(&entry)
      return entry
    } catch {
      failure = notEncoded(storeKey, error)
      return nil
    }
  }

  /// Makes sure now and then that what was encoded comes back.
  private func check(_ payload: [UInt8]?, _ codec: Codec<Value>, _ value: Value) throws {
    let count = encodedCount.add(1, ordering: .relaxed).newValue
    guard count & (count - 1) == 0 || core.failsOnFault else { return }
    if count == 1, codec.schema == .structure, core.namespace.version == nil {
      core.adviseOnStructure(of: Value.self)
    }
    try codec.check(payload, gives: value)
  }

  /// Reports a value that stays in memory; returns the error of a call that must fail for it.
  private func notEncoded(_ storeKey: CacheKey, _ error: any Error) -> (any Error)? {
    var error = error
    if error is UncodableType {
      error = CacheError(.unsupportedType, "\(error)", key: storeKey)
      core.adviseOnCoding(of: Value.self)
    }
    core.counters.encodeFailures.add()
    core.report(.encodeFailed, key: storeKey, error: error)
    if core.isStrict, (error as? CacheError)?.code == .unsupportedType { return error }
    guard core.failsOnFault else { return nil }
    return CacheError(
      .storeFailed,
      "the value cannot be written to a store whose fault policy is .fail",
      key: storeKey,
      cause: error
    )
  }
}
