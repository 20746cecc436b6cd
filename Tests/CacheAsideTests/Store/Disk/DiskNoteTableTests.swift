import Testing

@testable import CacheAside

/// What the index and the totals look names up in.
@Suite struct DiskNoteTableTests {
  private func note(_ name: UInt64, _ inode: UInt64) -> DiskNote {
    let status = FileStatus(
      kind: .file,
      size: 1,
      owner: 0,
      device: 0,
      inode: inode,
      accessed: 0,
      modified: 0,
      changed: 0
    )
    var note = DiskNote("", status)
    note.name = name
    return note
  }

  @Test(arguments: [0, 10, 1_000])
  func `a table gives the latest note of each name, whatever room it began with`(
    capacity: Int
  ) throws {
    // Names with equal lower bits have the same home.
    let names = (0..<1_000).map { UInt64($0 % 2 == 0 ? $0 << 32 : $0) }
    var table = DiskNoteTable(capacity: capacity)
    #expect(table[7] == nil)
    table.add(names.map { note($0, 1) })
    table.add(names.prefix(500).map { note($0, 2) })
    #expect(table.notes.map(\.name) == names)
    for (index, name) in names.enumerated() {
      #expect(table[name]?.inode == (index < 500 ? 2 : 1))
    }
    #expect(table[2] == nil)
    #expect(table[1 << 32] == nil)
  }

  @Test func `of notes with one name in the table's own array the last counts`() {
    let names = (0..<100).map { UInt64($0 % 40) }
    var table = DiskNoteTable(names.enumerated().map { note($1, UInt64($0)) })
    for name in 0..<40 as Range<UInt64> {
      #expect(table[name]?.inode == name + (name < 20 ? 80 : 40))
    }
    table.add([note(39, 7)])
    #expect(table[39]?.inode == 7)
  }

  @Test func `a filter finds every name that was added, and few others`() {
    let (names, others) = (
      (0..<4_000).map { DiskNote.checksum("a\($0)") },
      (0..<4_000).map { DiskNote.checksum("b\($0)") }
    )
    var grown = DiskNameFilter()
    #expect(!others.contains(where: grown.mayContain))
    for name in names.prefix(128) { grown.insert(name) }
    let made = DiskNameFilter(names)
    for (filter, count) in [(grown, 128), (made, 4_000)] {
      #expect(names.prefix(count).allSatisfy(filter.mayContain))
      #expect(others.count { filter.mayContain($0) } < 200)
    }
    for name in names { grown.insert(name) }
    #expect(names.allSatisfy(grown.mayContain))
  }
}
