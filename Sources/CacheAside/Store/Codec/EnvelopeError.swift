/// Why bytes are not a record.
package struct EnvelopeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in a few words.
  package let description: String

  private init(_ description: String) { self.description = description }

  package static let key = EnvelopeError("the record's key is no key")
  package static let truncated = EnvelopeError("the record is shorter than its lengths say")
  package static let excess = EnvelopeError("the record has bytes left over")
  package static let magic = EnvelopeError("the bytes are not a record of CacheAside")
  package static let version = EnvelopeError("the record has an unknown format version")
  package static let flags = EnvelopeError("the record has unknown flags")
  package static let times = EnvelopeError("the record has times that no clock gives")
  package static let header = EnvelopeError("the header's checksum does not match")
  package static let value = EnvelopeError("the value's checksum does not match")
  package static let metadata = EnvelopeError("the metadata is malformed")
  package static let tooLong = EnvelopeError("the key or metadata is longer than a record can hold")
  package static let ledger = EnvelopeError("the ledger is damaged; all records are out")
  package static let stamp = EnvelopeError(
    "a stamp of the ledger is damaged; what it may have reached is out"
  )
  package static let ledgerFull = EnvelopeError(
    "more than \(DiskLedger.mostNumbers) tags and scopes were invalidated; older entries with a tag or scope "
      + "are out"
  )
  package static let intruder = EnvelopeError("there is no file in the place of a record")
}
