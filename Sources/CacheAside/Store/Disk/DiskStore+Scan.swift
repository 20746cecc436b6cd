extension DiskStore {
  /// Lists entries on the calling thread, which may block for the file system.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each; returns whether to go on. It may use the store.
  /// - Throws: `CacheError` with the code `storeFailed` when the folder could not be read.
  public func scanBlocking(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) throws {
    noteUse()
    for place in try places() {
      guard let (key, entry) = try scanned(place, namespace) else { continue }
      guard visit(key, entry) else { return }
    }
  }

  /// Lists entries, reading on the store's own threads.
  ///
  /// - Parameters:
  ///   - namespace: which one; `nil` lists all.
  ///   - visit: called for each by the calling task; returns whether to go on.
  /// - Throws: `CacheError` with the code `storeFailed` when the folder could not be read.
  public func scan(
    _ namespace: Namespace?,
    _ visit: (CacheKey, CacheEntry) -> Bool
  ) async throws {
    noteUse()
    for place in try await onStoreThread({ [self] in try places() }) {
      let found = try await onStoreThread { [self] in try scanned(place, namespace) }
      guard let (key, entry) = found else { continue }
      guard visit(key, entry) else { return }
    }
  }

  private func places() throws -> [DiskLayout.Place] {
    var places: [DiskLayout.Place] = []
    let failure = try firstFailure { place throws(FileSystemError) in places.append(place) }
    if let failure { throw scanFailure(failure) }
    return places
  }

  private func scanned(
    _ place: DiskLayout.Place,
    _ namespace: Namespace?
  ) throws -> (CacheKey, CacheEntry)? {
    do throws(FileSystemError) {
      let view = try ledgerView()
      let found = try withRecord(place, nil) { descriptor, status throws(FileSystemError) in
        switch try record(descriptor, status) {
        case .failure(let error):
          discard(place, status, because: error, nil)
          return nil as (key: [UInt8], entry: CacheEntry)?
        case .success(let record):
          guard let key = CacheKey(bytes: record.key),
            let entry = readable(record.entry, key.namespace, status, view)
          else { return nil }
          return (record.key, entry)
        }
      }
      guard let (bytes, entry) = found ?? nil else { return nil }
      if let namespace, !namespace.covers(keyBytes: bytes) { return nil }
      guard let key = CacheKey(bytes: bytes) else { return nil }
      return (key, entry)
    } catch {
      throw scanFailure(error)
    }
  }

  private func scanFailure(_ error: FileSystemError) -> CacheError {
    CacheError(.storeFailed, "the disk store could not list its entries", cause: error)
  }
}
