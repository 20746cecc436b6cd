import Testing

@testable import CacheAside

/// A directory's content in one block of memory.
@Suite struct DirectoryListingTests {
  private let names = [
    "a", "...", "..a", "index", "indey", "ünïcode",
    String(repeating: "0123456789abcdef", count: 15),
  ]

  @Test func `a listing gives back the entries it was made of`() {
    let kinds: [FileStatus.Kind?] = [.file, .directory, .other, nil]
    let entries = names.enumerated().map { index, name in
      DirectoryEntry(name: name, inode: UInt64(index), kind: kinds[index % kinds.count])
    }
    let listing = DirectoryListing(entries)
    #expect(listing.count == entries.count)
    #expect((0..<listing.count).map { listing[$0] } == entries)
    for index in entries.indices {
      #expect(listing.checksum(at: index) == DiskNote.checksum(entries[index].name))
      #expect(listing.isNamed("index", at: index) == (entries[index].name == "index"))
    }
    #expect(DirectoryListing().count == 0)
  }

  @Test func `the system lists every name but the two dots`() throws {
    let folder = try TemporaryFolder()
    for name in names { try TemporaryFolder.write([1], to: folder.path + "/" + name) }
    let files = POSIXFileSystem()
    let listing = try files.listing(of: folder.path)
    #expect(Set((0..<listing.count).map(listing.name)) == Set(names))
    #expect(Set(try files.list(folder.path)) == Set(names))
    for index in 0..<listing.count {
      let status = try files.status(at: folder.path + "/" + listing.name(at: index))
      #expect(listing.inode(at: index) == status.inode)
    }
  }
}
