extension CacheEntry {
  /// This entry as one self-contained record, for stores that keep bytes.
  ///
  /// The record carries the key, all times, the metadata and checksums of both halves; it is what
  /// the disk store writes into a file.
  ///
  /// - Parameter key: the key, in its namespace.
  /// - Returns: the bytes.
  /// - Throws: `CacheError` with the code `invalidKey` when key or metadata exceed 256 MiB.
  public func record(for key: CacheKey) throws -> [UInt8] {
    do throws(EnvelopeError) { return try Envelope.encode(self, key: key.bytes) } catch {
      throw CacheError(.invalidKey, "the entry does not fit into a record", key: key, cause: error)
    }
  }

  /// Reads a record back.
  ///
  /// A store compares the key with the one it was asked for, and treats what throws as a miss.
  ///
  /// - Parameter record: what ``record(for:)`` gave.
  /// - Returns: the key and the entry.
  /// - Throws: `CacheError` with the code `recordDamaged` when a length, checksum or key is wrong.
  public static func read(record: [UInt8]) throws -> (key: CacheKey, entry: CacheEntry) {
    do throws(EnvelopeError) {
      let (bytes, entry) = try Envelope.decode(record)
      guard let key = CacheKey(bytes: bytes) else { throw EnvelopeError.key }
      return (key, entry)
    } catch {
      throw CacheError(.recordDamaged, "the bytes are not a sound record", cause: error)
    }
  }
}
