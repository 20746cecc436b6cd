// swift-tools-version: 6.2
import PackageDescription

// What Apple asks of a library that reads file times and clocks. A resource brings code that imports
// Foundation, which the module does without, so only Apple's systems have it.
#if canImport(Darwin)
let privacy: (resources: [Resource], exclude: [String]) = ([.process("PrivacyInfo.xcprivacy")], [])
#else
let privacy: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
  name: "CacheAside",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "CacheAside", targets: ["CacheAside"]),
    .library(name: "CacheAsideTesting", targets: ["CacheAsideTesting"]),
  ],
  targets: [
    .target(name: "CacheAside", exclude: privacy.exclude, resources: privacy.resources),
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
    .executableTarget(
      name: "killtest",
      dependencies: ["CacheAside", "CacheAsideTesting"],
      path: "Tests/KillTest"
    ),
    // Hung loads, round after round, and the size of the process.
    .executableTarget(
      name: "hungtest",
      dependencies: ["CacheAside", "CacheAsideTesting"],
      path: "Tests/HungTest"
    ),
    // Random sequences of every verb, compared with a dictionary that has times.
    .executableTarget(
      name: "modeltest",
      dependencies: ["CacheAside", "CacheAsideTesting"],
      path: "Tests/ModelTest"
    ),
    // Objects at the end of their lives, by the system's clock.
    .executableTarget(name: "latetest", dependencies: ["CacheAside"], path: "Tests/LateTest"),
    // Mixed use for minutes, and what the process holds meanwhile.
    .executableTarget(name: "soaktest", dependencies: ["CacheAside"], path: "Tests/SoakTest"),
    // The eviction core alone, driven as the reference simulator is.
    .executableTarget(
      name: "policy-core",
      dependencies: ["CacheAside"],
      path: "Tests/PolicyCore",
      exclude: ["simulator"]
    ),
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
