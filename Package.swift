// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CacheAside",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "CacheAside", targets: ["CacheAside"]),
    .library(name: "CacheAsideTesting", targets: ["CacheAsideTesting"]),
  ],
  targets: [
    .target(name: "CacheAside"),
    .target(name: "CacheAsideTesting", dependencies: ["CacheAside"]),
    .executableTarget(
      name: "quickstart",
      dependencies: ["CacheAside"],
      path: "Examples/Quickstart"
    ),
    .executableTarget(
      name: "flaky-source",
      dependencies: ["CacheAside"],
      path: "Examples/FlakySource",
      exclude: ["source.py"]
    ),
    // Processes that are killed while they write to one folder.
    .executableTarget(name: "killtest", dependencies: ["CacheAside"], path: "Tests/KillTest"),
    // Hung loads, round after round, and the size of the process.
    .executableTarget(
      name: "hungtest",
      dependencies: ["CacheAside", "CacheAsideTesting"],
      path: "Tests/HungTest"
    ),
    // The eviction core alone, driven as the reference simulator is.
    .executableTarget(name: "policy-core", dependencies: ["CacheAside"], path: "Tests/PolicyCore"),
    .testTarget(name: "CacheAsideTests", dependencies: ["CacheAside", "CacheAsideTesting"]),
    // Clients of the public API: with our settings, with none, and on the main actor by default.
    .testTarget(name: "CacheAsideClientTests", dependencies: ["CacheAside"]),
    .testTarget(name: "CacheAsidePlainClientTests", dependencies: ["CacheAside"]),
    .testTarget(name: "CacheAsideMainActorClientTests", dependencies: ["CacheAside"]),
    .testTarget(name: "DocumentationTests", dependencies: ["CacheAside", "CacheAsideTesting"]),
  ],
  swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

for target in package.targets where target.type != .system {
  switch target.name {
  case "CacheAsidePlainClientTests": break
  case "CacheAsideMainActorClientTests":
    target.swiftSettings = settings + [.defaultIsolation(MainActor.self)]
  default: target.swiftSettings = settings
  }
}
