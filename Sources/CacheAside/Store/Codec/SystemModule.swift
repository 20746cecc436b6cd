/// The modules of the system, whose types are taken as a whole: how they are coded does not change,
/// and what they are made of differs between systems and their versions.
enum SystemModule {
  /// Whether a type is of one of them.
  ///
  /// - Parameter spelling: the type's qualified name.
  /// - Returns: whether its parts are nobody's business.
  static func declares(_ spelling: String) -> Bool {
    guard let dot = spelling.firstIndex(of: ".") else { return false }
    return names.contains(String(spelling[..<dot]))
  }

  /// Only names that no module of an application has: of what is here, changes are not seen.
  private static let names: Set<String> = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "Dispatch", "__C", "ObjectiveC",
    "CoreFoundation", "CoreGraphics", "CoreLocation", "simd", "SwiftUI", "UIKit", "AppKit",
    "MapKit", "CloudKit", "StoreKit",
  ]
}
