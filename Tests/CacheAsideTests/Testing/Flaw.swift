import CacheAside
import CacheAsideTesting

/// One way in which a store can break its contract, with the check that must find it.
enum Flaw: CaseIterable, Sendable {
  case answersAbsentKeys, clearsHighBits, emptyBecomesNil, roundsTimes, forgetsSchema
  case forgetsMetadata, cutsLargeValues, mergesMetadata, hidesExpired
  case removesByPrefix, throwsOnAbsent, buriesForGood, neverComparesEqual, neverCompares
  case ignoresNamespaces, joinsNamespaceAndText, clearsByPrefix, emptyClearsAll, nilClearsNothing
  case dropsLongKeys, comparesFirstCharacters, readsASCIIOnly, endsAtNUL
  case tidiesPaths, foldsCase, leavesScopes, leavesKept
  case scansEverything, scanGoesOn, countsWrites, removesStale, removesNothing
  case missesSecondTag, takesAnyOfAll, invalidatesAllScopes, expiresNothing, invalidatesForGood
  case overwritesInPlace, comparesLastCharacters, alwaysSaysRemoved, evicts
  case flushForgets, forgetsOnReopen, revivesOnReopen, clearsOnOpen
  case keepsTwoSets, changesErrors, reportsDamage
  case forgetsLastOfBulk

  var check: CacheStoreConformance<FlawedStore>.Check {
    switch self {
    case .answersAbsentKeys: .absentKey
    case .clearsHighBits: .entryComesBack
    case .emptyBecomesNil: .nilAndEmptyPayload
    case .roundsTimes: .times
    case .forgetsSchema: .codecTypeAndSchema
    case .forgetsMetadata: .metadata
    case .cutsLargeValues: .valueSizes
    case .mergesMetadata: .overwrite
    case .hidesExpired: .expiredIsReadable
    case .removesByPrefix: .remove
    case .throwsOnAbsent: .removeAbsent
    case .buriesForGood: .writeAfterRemove
    case .neverComparesEqual: .removeUnchanged
    case .neverCompares: .removeChanged
    case .ignoresNamespaces: .namespacesAreSeparate
    case .joinsNamespaceAndText: .namespaceAndTextAreNotJoined
    case .clearsByPrefix, .emptyClearsAll: .removeAllInNamespace
    case .leavesScopes: .scopesOfNamespace
    case .leavesKept: .removeExpiredIncludingKept
    case .nilClearsNothing: .removeEverything
    case .dropsLongKeys: .keyLengths
    case .comparesFirstCharacters: .longKeysDiffer
    case .readsASCIIOnly: .unicodeKeys
    case .endsAtNUL, .tidiesPaths: .oddKeys
    case .foldsCase: .keyCase
    case .scansEverything: .scan
    case .scanGoesOn: .scanStops
    case .countsWrites: .usage
    case .removesStale, .removesNothing: .removeExpired
    case .missesSecondTag: .invalidateByAnyTag
    case .takesAnyOfAll: .invalidateByAllTags
    case .invalidatesAllScopes: .invalidateNamespace
    case .expiresNothing: .invalidateByExpiry
    case .invalidatesForGood: .writeAfterInvalidation
    case .overwritesInPlace: .oneKeyManyTasks
    case .comparesLastCharacters: .manyKeysManyTasks
    case .alwaysSaysRemoved: .oneCompareAndDelete
    case .evicts: .likeADictionary
    case .flushForgets: .flushKeepsAll
    case .forgetsOnReopen, .revivesOnReopen: .persistence
    case .clearsOnOpen: .secondInstance
    case .keepsTwoSets: .blockingAgrees
    case .changesErrors: .storeThread
    case .reportsDamage: .entryComesBack
    case .forgetsLastOfBulk: .bulk
    }
  }
}
