import Testing

@testable import CacheAside

/// The whole engine under load.
///
/// The sanitizer build runs the full length: it sees what overlaps,
/// and short runs miss races.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SanitizerStressTests {
  #if SANITIZE_THREAD
  static let operations = 26_000
  #else
  static let operations = 4_000
  #endif

  @Test func `eight tasks never meet what was overwritten or removed before they asked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let stress = try EngineStress(folder: folder.path)
    try await stress.run(operations: Self.operations)
    try await stress.cache.close()
    #expect(try POSIXFileSystem().list(folder.path + "/stress/tmp").isEmpty)
  }
}
