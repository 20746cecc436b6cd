// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "CacheAside", path: "../..")],
  targets: [
    .target(name: "AllocationCounter"),
    .target(name: "InstructionCounter"),
    .executableTarget(
      name: "instructions",
      dependencies: ["InstructionCounter", .product(name: "CacheAside", package: "CacheAside")]
    ),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["AllocationCounter", .product(name: "CacheAside", package: "CacheAside")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
