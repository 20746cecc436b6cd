/// What is in a directory, with all names in one block of memory.
///
/// A large directory is listed faster so than into an array of entries with a string each.
public struct DirectoryListing: Sendable {
  private struct Item {
    let start: Int
    let inode: UInt64
    let kind: FileStatus.Kind?
  }

  /// The names one behind the other.
  private var names: [UInt8] = []
  private var items: [Item] = []

  /// Makes a listing of entries.
  ///
  /// - Parameter entries: what is in the directory, without `.` and `..`.
  public init(_ entries: [DirectoryEntry] = []) {
    for entry in entries {
      var name = entry.name
      name.withUTF8 { unsafe append($0, inode: entry.inode, kind: entry.kind) }
    }
  }

  /// How many entries there are.
  public var count: Int { items.count }

  /// One entry.
  ///
  /// - Parameter index: its position, from zero.
  public subscript(index: Int) -> DirectoryEntry {
    DirectoryEntry(name: name(at: index), inode: inode(at: index), kind: kind(at: index))
  }

  /// Makes room, so that a directory of a usual size is listed without moving what is there.
  mutating func reserveUsualCapacity() {
    items.reserveCapacity(256)
    names.reserveCapacity(12_288)
  }

  /// Adds an entry.
  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>,
    inode: UInt64,
    kind: FileStatus.Kind?
  ) {
    items.append(Item(start: names.count, inode: inode, kind: kind))
    unsafe names.append(contentsOf: name)
  }

  func name(at index: Int) -> String { String(decoding: names[range(of: index)], as: UTF8.self) }

  func inode(at index: Int) -> UInt64 { items[index].inode }

  func kind(at index: Int) -> FileStatus.Kind? { items[index].kind }

  /// Under which number the name of an entry is noted.
  func checksum(at index: Int) -> UInt64 {
    let range = range(of: index)
    return unsafe names.withUnsafeBytes { bytes in
      unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }

  /// Whether an entry has a name.
  func isNamed(_ name: String, at index: Int) -> Bool {
    let range = range(of: index)
    return range.count == name.utf8.count && names[range].elementsEqual(name.utf8)
  }

  private func range(of index: Int) -> Range<Int> {
    items[index].start..<(index + 1 < items.count ? items[index + 1].start : names.count)
  }
}
