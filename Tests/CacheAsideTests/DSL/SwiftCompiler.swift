import Foundation

/// The compiler, asked to check a client's source against the module that these tests were built
/// with.
struct SwiftCompiler: Sendable {
  private let modules: URL

  /// - Returns: `nil` when the built module is not beside the tests.
  init?() {
    var folders = [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()]
    folders += Bundle.allBundles.map(\.bundleURL)
    let found = folders.map { $0.deletingLastPathComponent().appendingPathComponent("Modules") }
      .first {
        FileManager.default.fileExists(
          atPath: $0.appendingPathComponent("CacheAside.swiftmodule").path
        )
      }
    guard let found else { return nil }
    modules = found
  }

  /// Checks a source.
  ///
  /// - Parameters:
  ///   - source: the client's source.
  ///   - flags: further flags.
  /// - Returns: whether it compiles, and what the compiler says.
  func check(_ source: String, _ flags: String...) throws -> (compiles: Bool, output: String) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cache-aside-fixture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Client.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)

    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["swiftc", "-typecheck", "-I", modules.path] + flags + [file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus == 0, String(decoding: output, as: UTF8.self))
  }
}
