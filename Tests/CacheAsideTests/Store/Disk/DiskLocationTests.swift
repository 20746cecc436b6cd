import CacheAsideTesting
import Testing

@testable import CacheAside

@Suite struct DiskLocationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    "", ".", "..", "a/b", "../x", "/etc", "a\0b", String(repeating: "a", count: 256),
  ])
  func `S7 a name that could leave the location is refused`(name: String) throws {
    let error = #expect(throws: CacheError.self) {
      try DiskStore(name: name, location: .directory(folder.path))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("1 to 255 bytes") == true)
  }

  @Test(arguments: ["", "a\0b"])
  func `a path that is none is refused`(path: String) throws {
    #expect(throws: CacheError.self) { try DiskStore(directory: path) }
    #expect(throws: CacheError.self) { try DiskStore(name: "x", location: .directory(path)) }
  }

  @Test func `a store lives in the folder of its name, made on demand`() throws {
    let deep = folder.path + "/a/b"
    let store = try DiskStore(name: "päge", location: .directory(deep))
    #expect(store.directory == deep + "/päge")
    #expect(store.limit == .megabytes(100))
    #expect(store.durability == .process)
    let entry = CacheEntry(payload: [1], codec: .raw, type: 0, created: 0)
    try store.setBlocking(entry, for: diskKey("k"))
    #expect(try DiskStore(directory: store.directory).entryBlocking(for: diskKey("k")) == entry)
    let permanent = try DiskStore(name: "p", location: .directory(deep, isPermanent: true))
    #expect(permanent.limit == .unlimited)
    #expect(permanent.durability == .power)
    #expect(permanent.isPermanent)
  }

  #if !canImport(Darwin)
  @Test func `the folders follow the XDG base directories`() throws {
    let program = try #require(CommandLine.arguments.first?.split(separator: "/").last)
    var variables = ["HOME": "/home/me"]
    let look = { (name: String) in variables[name] }
    #expect(StandardFolder.caches(look) == "/home/me/.cache/\(program)")
    #expect(StandardFolder.lastingData(look) == "/home/me/.local/share/\(program)")
    variables["XDG_CACHE_HOME"] = "/var/c"
    variables["XDG_DATA_HOME"] = "/var/d"
    #expect(StandardFolder.caches(look) == "/var/c/\(program)")
    #expect(StandardFolder.lastingData(look) == "/var/d/\(program)")
    variables["XDG_CACHE_HOME"] = "relative"
    #expect(StandardFolder.caches(look) == "/home/me/.cache/\(program)")
  }
  #endif

  @Test func `the folder of another user is refused`() throws {
    let path = folder.path + "/cache"
    try POSIXFileSystem().makeDirectory(path)
    guard DiskModes.giveAway(path) else { return DiskModes.printSkip() }
    let error = #expect(throws: CacheError.self) { try DiskStore(directory: path) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test func `a folder that became another user's is not written to`() throws {
    let store = try DiskStore(name: "cache", location: .directory(folder.path))
    try POSIXFileSystem().makeDirectory(store.directory)
    guard DiskModes.giveAway(store.directory) else { return DiskModes.printSkip() }
    let entry = CacheEntry(payload: [1], codec: .raw, type: 0, created: 0)
    #expect(throws: CacheError.self) { try store.setBlocking(entry, for: diskKey("k")) }
    #expect(TemporaryFolder.filePaths(in: store.directory).isEmpty)
  }

  @Test func `a file in the place of the folder is refused`() throws {
    try TemporaryFolder.write([1], to: folder.path + "/cache")
    #expect(throws: CacheError.self) { try DiskStore(directory: folder.path + "/cache") }
  }

  @Test func `a folder behind a link is used`() throws {
    try POSIXFileSystem().makeDirectory(folder.path + "/real")
    try DiskModes.link(folder.path + "/linked", to: folder.path + "/real")
    let store = try DiskStore(directory: folder.path + "/linked")
    #expect(store.directory == folder.path + "/real")
  }
}
