/// Where a store's own invalidations stood at some moment.
///
/// A store that several processes use orders what they invalidate. The cache asks for a mark before
/// a producer runs and writes it into the record that comes of it, so that the store can tell what
/// began before an invalidation.
public struct LoadMark: Hashable, Sendable {
  /// Which ledger of the store; zero before there was one.
  public var epoch: UInt64

  /// How many invalidations it held.
  public var sequence: UInt64

  /// Makes a mark.
  ///
  /// - Parameters:
  ///   - epoch: which ledger of the store; zero before there was one.
  ///   - sequence: how many invalidations it held.
  public init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// The mark of whatever began before there was a ledger.
  public static let none = LoadMark(epoch: 0, sequence: 0)
}

extension CacheMetadata {
  /// The mark of the load that a record came of; `nil` when the record carries none.
  public var loadMark: LoadMark? {
    get {
      guard let epoch = number(.ledgerEpoch), let begun = number(.ledgerBegun) else { return nil }
      return LoadMark(epoch: UInt64(bitPattern: epoch), sequence: UInt64(bitPattern: begun))
    }
    set {
      guard newValue != nil || self[.ledgerEpoch] != nil || self[.ledgerBegun] != nil else {
        return
      }
      setNumber(newValue.map { Int64(bitPattern: $0.epoch) }, .ledgerEpoch)
      setNumber(newValue.map { Int64(bitPattern: $0.sequence) }, .ledgerBegun)
    }
  }
}
