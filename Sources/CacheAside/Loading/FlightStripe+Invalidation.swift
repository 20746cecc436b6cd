// What invalidations by tag and scope close in a stripe.

extension FlightStripe {
  /// Closes the loads and promotions of a key, if its flight began before an invalidation.
  func closeReaders(_ key: HashedKey<Key>, begunBefore sequence: UInt64) {
    let displaced = withEntries { entries -> Displaced? in
      guard entries[key]?.hasLoad(where: { $0.began(before: sequence) }) == true else { return nil }
      return Self.closeReaders(key, but: nil, in: &entries)
    }
    _ = displaced
  }

  /// Closes what is registered and known to store what an invalidation selects.
  ///
  /// O(n) in the registrations.
  func supersede(_ selection: StoreInvalidation.Selection) {
    let displaced = withEntries { entries -> [Displaced] in
      let known = entries.filter { $0.value.hasLoad { $0.isKnown(to: selection) } }
      return known.keys.compactMap { Self.closeReaders($0, but: nil, in: &entries) }
    }
    _ = displaced
  }
}
