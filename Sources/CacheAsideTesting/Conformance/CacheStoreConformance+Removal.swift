// Checks: what is removed is gone, and nothing else.
import CacheAside

extension CacheStoreConformance.Trial {
  func remove() async throws {
    let other = entry("other")
    try await store.set(entry("value"), for: key("removed"))
    try await store.set(other, for: key("removed2"))
    try await store.set(other, for: key("remove"))
    try await store.remove(key("removed"))
    try await expectEntry(nil, for: key("removed"))
    try await expectEntry(other, for: key("removed2"))
    try await expectEntry(other, for: key("remove"))
  }

  func removeAbsent() async throws {
    try await store.remove(key("absent"))
    try await store.removeAll(in: Namespace("absent"))
    try await store.removeAll(in: nil)
    try await store.set(entry("value"), for: key("twice"))
    try await store.remove(key("twice"))
    try await store.remove(key("twice"))
    try await expectEntry(nil, for: key("twice"))
  }

  func writeAfterRemove() async throws {
    let again = entry("again")
    try await store.set(entry("value"), for: key("again"))
    try await store.remove(key("again"))
    try await store.set(again, for: key("again"))
    try await expectEntry(again, for: key("again"), "after remove")
    try await store.removeAll(in: Self.home)
    try await store.set(again, for: key("again"))
    try await expectEntry(again, for: key("again"), "after removeAll")
  }

  func removeUnchanged() async throws {
    let written = entry("value")
    try await store.set(written, for: key("same"))
    guard let read = try await store.entry(for: key("same")) else {
      return expect(false, "the entry cannot be read")
    }
    expect(try await store.remove(key("same"), ifUnchanged: read), "says it removed nothing")
    try await expectEntry(nil, for: key("same"))
  }

  func removeChanged() async throws {
    let (first, second) = (entry("first"), entry("other"))
    try await store.set(first, for: key("changed"))
    try await store.set(second, for: key("changed"))
    expect(
      try await !store.remove(key("changed"), ifUnchanged: first),
      "says it removed an entry that had changed"
    )
    try await expectEntry(second, for: key("changed"), "after the refused removal")

    var touched = second
    touched.isExpiredByHand = true
    try await store.set(touched, for: key("changed"))
    expect(
      try await !store.remove(key("changed"), ifUnchanged: second),
      "says it removed an entry whose flags had changed"
    )
    try await expectEntry(touched, for: key("changed"), "after the refused removal")
    expect(
      try await !store.remove(key("absent"), ifUnchanged: first),
      "says it removed an absent entry"
    )
  }
}
