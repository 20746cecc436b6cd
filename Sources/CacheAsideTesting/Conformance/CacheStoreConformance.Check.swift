public import Testing

extension CacheStoreConformance {
  /// What the kit can prove; later versions may add more.
  public enum Check: String, CaseIterable, Hashable, Sendable, CustomTestStringConvertible {
    // Values
    case absentKey = "an absent key reads as nil"
    case entryComesBack = "an entry comes back equal"
    case nilAndEmptyPayload = "a nil payload and an empty one stay what they are"
    case times = "times come back equal, never included"
    case codecTypeAndSchema = "codec, type and schema come back equal"
    case metadata = "metadata comes back equal, unknown fields included"
    case valueSizes = "values of any size up to 1 MiB come back equal"
    case overwrite = "a write replaces all of the older entry"
    case expiredIsReadable = "an entry that is expired but kept can be read"
    case bulk = "entries written together come back together and alone, absent keys left out"

    // Removal
    case remove = "a removed entry is gone, and only that"
    case removeAbsent = "removing an absent key is no error"
    case writeAfterRemove = "a removed key can be written again"
    case removeUnchanged = "an unchanged entry is removed by compare-and-delete"
    case removeChanged = "a changed or absent entry is left by compare-and-delete"

    // Namespaces
    case namespacesAreSeparate = "one text in two namespaces is two records"
    case namespaceAndTextAreNotJoined = "namespace and text are not joined ambiguously"
    case removeAllInNamespace = "removing a namespace touches only that namespace"
    case scopesOfNamespace = "a namespace without a scope covers its scopes, one with a scope none"
    case removeEverything = "removing all namespaces leaves nothing"

    // Keys
    case keyLengths = "keys of any length up to 1,000,000 characters work"
    case longKeysDiffer = "long keys that differ in the last character are two records"
    case unicodeKeys = "keys in any script are distinct and come back"
    case oddKeys = "keys with path, control and pattern characters are plain keys"
    case keyCase = "keys that differ in letter case are two records"

    // Listing
    case scan = "a scan lists exactly what is there"
    case scanStops = "a scan stops when it is told to"
    case usage = "usage counts the entries"

    // Invalidation
    case invalidateByAnyTag = "a removal by tags takes what carries one of them, and only that"
    case invalidateByAllTags = "a removal by all of some tags takes what carries them all"
    case invalidateNamespace = "a removal of a scope's entries leaves the other scopes"
    case invalidateByExpiry = "an expiry of a selection ends freshness and prolongs nothing"
    case writeAfterInvalidation = "what is written after an invalidation stays"

    // Expiry
    case removeExpiredIncludingKept = "what has expired is removed on request although it is kept"
    case removeExpired = "only what is kept no longer is removed as expired"

    // Concurrency
    case oneKeyManyTasks = "concurrent writes of one key never tear"
    case manyKeysManyTasks = "concurrent work on many keys never crosses them"
    case oneCompareAndDelete = "of concurrent compare-and-deletes one wins"
    case likeADictionary = "a thousand random operations agree with a dictionary"

    // Lifecycle
    case flushKeepsAll = "a flush loses nothing"
    case persistence = "entries and removals survive closing and reopening"
    case secondInstance = "another instance on the same place reads and harms nothing"

    // Blocking stores
    case blockingAgrees = "blocking and asynchronous operations see the same entries"
    case storeThread = "work on a store thread returns and throws what it should"

    /// The check as a sentence.
    public var testDescription: String { rawValue }
  }
}
