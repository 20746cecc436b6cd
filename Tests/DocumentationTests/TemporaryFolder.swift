import Foundation

/// Runs a piece of a test with the path of a folder that is deleted afterwards.
func withTemporaryFolder<Result>(
  _ body: (String) async throws -> Result
) async throws -> Result {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("CacheAsideDocumentation-\(UUID())")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer {
    do { try FileManager.default.removeItem(at: url) } catch { print("left behind: \(url.path)") }
  }
  return try await body(url.path)
}
