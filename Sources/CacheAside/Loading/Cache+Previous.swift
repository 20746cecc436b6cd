extension Cache {
  /// The entry that was there before, of any age that is kept, for a producer that asks for it.
  func previous(_ slot: Slot<Key>) async throws -> PreviousEntry<Value>? {
    let now = core.now
    if let entry = memory.entry(for: slot.key, hash: slot.hash) {
      return PreviousEntry(
        previous: Previous(
          value: entry.value,
          validator: entry.terms?.validator,
          age: Loaded<Value>.age(entry.storedAt, now.monotonic),
          isFresh: now.monotonic < entry.deadline
        ),
        tags: entry.terms?.tags ?? [],
        isPinned: entry.terms?.isPinned ?? false,
        record: nil
      )
    }
    guard let storeKey = slot.storeKey else { return nil }
    for tier in core.tiers {
      guard let entry = try await tier.read(storeKey),
        case .usable(let loaded) = judge(entry, storeKey, tier, anyAge: true)
      else { continue }
      return PreviousEntry(
        previous: Previous(
          value: loaded.value,
          validator: entry.metadata.validator,
          age: Loaded<Value>.age(loaded.storedAt, now.monotonic),
          isFresh: loaded.isFresh
        ),
        tags: entry.metadata.tags,
        record: entry
      )
    }
    return nil
  }

  /// The record that a renewal goes on with: the one in a tier, whose payload is not encoded again.
  ///
  /// - Returns: `nil` if there is none that holds the previous value.
  func renewedRecord(
    _ plan: StoringPlan<Value>,
    _ previous: PreviousEntry<Value>,
    _ storeKey: CacheKey
  ) async throws -> CacheEntry? {
    var record = previous.record
    if record == nil {
      for tier in core.tiers {
        guard let entry = try await tier.read(storeKey), entry.type == type,
          entry.codec == codec?.identifier, entry.schema == schema,
          entry.metadata.validator == previous.previous.validator,
          entry.metadata.validator != nil || isAsOld(entry, previous.previous)
        else { continue }
        record = entry
        break
      }
    }
    guard var record else { return nil }
    plan.stamp(&record)
    return record
  }

  /// Whether a record was stored when a value in memory was, as far as memory's clock can tell.
  ///
  /// Another process may have written one since; without a validator only the time tells them apart.
  private func isAsOld(_ entry: CacheEntry, _ previous: Previous<Value>) -> Bool {
    let (seconds, attoseconds): (Int64, Int64) = previous.age.components
    guard seconds < 1_000_000_000_000 else { return false }
    let age: Int64 = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let stored = core.time.wall.subtractingReportingOverflow(age)
    let distance = stored.partialValue.subtractingReportingOverflow(entry.created)
    return !stored.overflow && !distance.overflow && distance.partialValue.magnitude <= 10_000
  }
}

extension CacheError {
  /// The error of a producer that renews what is not there.
  static func unexpectedNotModified(_ key: CacheKey?) -> CacheError {
    CacheError(
      .unexpectedNotModified,
      "the producer answered .notModified without a previous value; take a Previous<Value>? "
        + "argument and answer so only when it is not nil",
      key: key
    )
  }
}
