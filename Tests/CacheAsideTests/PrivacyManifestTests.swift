import Foundation
import Testing

/// What the library tells Apple's review of itself.
@Suite struct PrivacyManifestTests {
  /// The calls that need a reason, as Apple lists them, and the category of each.
  static let categories = [
    "NSPrivacyAccessedAPICategoryFileTimestamp": [
      "stat", "fstat", "lstat", "fstatat", "getattrlist", "getattrlistbulk",
      "contentModificationDateKey", "creationDateKey",
    ],
    "NSPrivacyAccessedAPICategorySystemBootTime": [
      "systemUptime", "mach_absolute_time", "mach_continuous_time", "clock_gettime_nsec_np",
    ],
    "NSPrivacyAccessedAPICategoryDiskSpace": [
      "statfs", "statvfs", "fstatfs", "fstatvfs", "volumeAvailableCapacityKey",
    ],
    "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
  ]

  private struct Manifest: Decodable {
    struct Use: Decodable {
      let category: String
      let reasons: [String]

      enum CodingKeys: String, CodingKey {
        case category = "NSPrivacyAccessedAPIType"
        case reasons = "NSPrivacyAccessedAPITypeReasons"
      }
    }

    let uses: [Use]
    let isTracking: Bool

    enum CodingKeys: String, CodingKey {
      case uses = "NSPrivacyAccessedAPITypes"
      case isTracking = "NSPrivacyTracking"
    }
  }

  @Test func `the privacy manifest gives a reason for what the sources call, and for nothing else`()
    throws
  {
    let sources = try SourceFile.all(below: "Sources/CacheAside")
    let called = Set(sources.flatMap { file in file.words.map { String($0.word) } })
    let expected = Self.categories.filter { !called.isDisjoint(with: $0.value) }.keys.sorted()
    let file = SourceFile.root.appending(path: "Sources/CacheAside/PrivacyInfo.xcprivacy")
    let data = try Data(contentsOf: file)
    let manifest = try PropertyListDecoder().decode(Manifest.self, from: data)
    #expect(manifest.uses.map(\.category).sorted() == expected)
    #expect(manifest.uses.allSatisfy { !$0.reasons.isEmpty })
    #expect(!manifest.isTracking)
  }
}
