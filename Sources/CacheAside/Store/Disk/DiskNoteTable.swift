// Notes by the checksum of their names.
//
// What: an array of notes, and open addressing with linear probing from a name's checksum to the
// position in it. Invariants: the slots lead to one note a name, the latest; the array has others of
// it only if the one that the table was made of had; at most half of the slots are used, so that a
// search ends; a slot holds the position + 1, and 0 when it is empty. The checksum is its own
// hash: it is as good as random, and whoever makes up an index only slows down his own. Called by the
// disk store's index.
struct DiskNoteTable: Sendable {
  /// The notes, in the order in which their names were first added.
  private(set) var notes: [DiskNote]
  private var slots: [UInt32]

  /// Makes a table of notes, without copying them, with room for so many.
  init(_ notes: [DiskNote] = [], capacity: Int = 0) {
    self.notes = notes
    slots = Self.slots(for: max(notes.count, capacity))
    fillSlots()
  }

  /// Adds notes, each in the place of an earlier one of its name.
  mutating func add(_ added: [DiskNote]) {
    for note in added {
      let slot = slot(of: note.name)
      if slots[slot] > 0 {
        notes[Int(slots[slot]) - 1] = note
        continue
      }
      notes.append(note)
      slots[slot] = UInt32(notes.count)
      if notes.count * 2 > slots.count { grow() }
    }
  }

  /// The note of a name.
  subscript(name: UInt64) -> DiskNote? {
    let position = Int(slots[slot(of: name)])
    return position == 0 ? nil : notes[position - 1]
  }

  /// What is known about an entry of a directory.
  func note(of listing: DirectoryListing, at entry: Int) -> DiskNote? {
    guard listing.kind(at: entry) == .file, let note = self[listing.checksum(at: entry)],
      note.inode == listing.inode(at: entry)
    else { return nil }
    return note
  }

  /// Where the name is, or the empty slot where it would be.
  private func slot(of name: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: name) & mask
    while slots[slot] > 0, notes[Int(slots[slot]) - 1].name != name { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    slots = Self.slots(for: notes.count * 2)
    fillSlots()
  }

  private mutating func fillSlots() {
    for position in notes.indices { slots[slot(of: notes[position].name)] = UInt32(position + 1) }
  }

  /// A power of two above twice the number.
  private static func slots(for count: Int) -> [UInt32] {
    [UInt32](repeating: 0, count: 1 << (Int.bitWidth - (2 * count + 1).leadingZeroBitCount))
  }
}
