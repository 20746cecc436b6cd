import CacheAsideTesting
import Testing

@testable import CacheAside

/// What a file system of a client's own gets that only lists names.
@Suite struct PlainFileSystemTests {
  let counted = FaultInjectingFileSystem()
  var files: PlainFileSystem { PlainFileSystem(base: counted) }
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `lists what the system's own call lists, by a look at each file`() throws {
    try TemporaryFolder.write([1], to: folder.path + "/file")
    try POSIXFileSystem().makeDirectory(folder.path + "/directory")
    try DiskModes.link(folder.path + "/link", to: folder.path + "/file")
    let found = try files.entries(of: folder.path)
    #expect(Set(found) == Set(try POSIXFileSystem().entries(of: folder.path)))
    #expect(found.count == 3)
    #expect(counted.count(of: .status) == 3)
  }

  @Test func `leaves out what is removed meanwhile, and throws what else fails`() throws {
    for name in ["a", "b"] { try TemporaryFolder.write([1], to: folder.path + "/" + name) }
    counted.before(.status) { path in
      if let path, path.hasSuffix("/a") { try? POSIXFileSystem().unlink(path) }
    }
    #expect(try files.entries(of: folder.path).map(\.name) == ["b"])
    counted.heal()
    counted.fail(.status, with: DiskStoreFaultTests.inputOutput)
    #expect(throws: FileSystemError.self) { try files.entries(of: folder.path) }
    counted.heal()
    #expect(throws: FileSystemError.self) { try files.entries(of: folder.path + "/none") }
  }

  @Test func `reaches a file of an open directory as the system's own calls do`() throws {
    for files in [files, POSIXFileSystem()] as [any FileSystem] {
      try TemporaryFolder.write([1, 2], to: folder.path + "/file")
      try DiskModes.link(folder.path + "/link", to: folder.path + "/file")
      let descriptor = try files.open(folder.path)
      let directory = OpenDirectory(path: folder.path, descriptor: descriptor)
      #expect(try files.status(of: "file", in: directory).size == 2)
      #expect(try files.status(of: "link", in: directory).kind == .other)
      try files.unlink("link", in: directory)
      try files.unlink("file", in: directory)
      #expect(try files.list(folder.path).isEmpty)
      for body in [
        { _ = try files.status(of: "file", in: directory) },
        { try files.unlink("file", in: directory) },
      ] as [() throws -> Void] {
        let error = #expect(throws: FileSystemError.self) { try body() }
        #expect(error?.isAbsent == true)
      }
      try files.close(descriptor)
    }
  }

  @Test func `a store on it counts, expires and evicts`() throws {
    let fixture = try DiskFixture(files: files)
    let store = try fixture.open(limit: .entries(100))
    for index in 0..<100 {
      let entry = fixture.entry([1], seconds: index < 10 ? 1 : nil)
      try store.setBlocking(entry, for: diskKey("\(index)"))
    }
    fixture.clock.advance(by: .seconds(1))
    #expect(try store.removeExpiredBlocking() == 10)
    for index in 100..<111 {
      try store.setBlocking(fixture.entry([1]), for: diskKey("\(index)"))
    }
    #expect(try store.usageBlocking().entries == 80)
  }
}
