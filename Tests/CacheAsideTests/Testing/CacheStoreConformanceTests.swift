import CacheAside
import CacheAsideTesting
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CacheStoreConformanceTests {
  @Test(arguments: CacheStoreConformance<PlainStore>.Check.allCases)
  func `C2 an actor with the bare requirements passes`(
    check: CacheStoreConformance<PlainStore>.Check
  ) async throws {
    try await CacheStoreConformance(expiresByItself: true) { PlainStore() }.run(check)
  }

  @Test(arguments: CacheStoreConformance<FlawedStore>.Check.allCases)
  func `a blocking persistent store without a flaw passes`(
    check: CacheStoreConformance<FlawedStore>.Check
  ) async throws {
    try await kit(nil).run(check)
  }

  @Test(arguments: Flaw.allCases)
  func `C2 every flaw is found by its check`(flaw: Flaw) async throws {
    await withKnownIssue {
      try await kit(flaw).run(flaw.check)
    }
  }

  @Test func `every check finds some flaw`() {
    let proven = Set(Flaw.allCases.map(\.check))
    #expect(Set(CacheStoreConformance<FlawedStore>.Check.allCases).subtracting(proven).isEmpty)
  }

  @Test func `a complaint names the store, the check, the key and the difference`() async throws {
    try await withKnownIssue {
      try await kit(.clearsHighBits).run(.entryComesBack)
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.hasPrefix("store \"flawed\", check \"an entry comes back equal\": key \"bytes\"")
        && text.hasSuffix(": payload of 256 bytes differs at byte 128")
    }
  }

  @Test func `of many complaints five are shown`() async throws {
    let complaints = EventRecorder<String>()
    try await withKnownIssue {
      try await kit(.forgetsSchema).run(.codecTypeAndSchema)
    } matching: { issue in
      complaints.record(issue.comments.map(\.rawValue).joined())
      return true
    }
    #expect(complaints.events.count == 6)
    #expect(complaints.events.last?.hasSuffix("further complaints are not shown") == true)
  }

  @Test func `a complaint is shown at the caller's line`() async throws {
    let here = #_sourceLocation
    try await withKnownIssue {
      try await kit(.forgetsSchema).run(.codecTypeAndSchema, sourceLocation: here)
    } matching: {
      $0.sourceLocation == here
    }
  }

  @Test func `the store is closed, then cleaned up, even when a check throws`() async throws {
    let recorder = EventRecorder<String>()
    let conformance = CacheStoreConformance {
      RecordingStore(FlawedStore(.throwsOnAbsent))
    } cleanUp: { store in
      recorder.record("cleaned after \(store.count(of: .close)) close")
    }
    await #expect(throws: CacheError.self) { try await conformance.run(.removeAbsent) }
    #expect(recorder.events == ["cleaned after 1 close"])
  }

  private func kit(_ flaw: Flaw?) -> CacheStoreConformance<FlawedStore> {
    CacheStoreConformance {
      FlawedStore(flaw)
    } reopen: {
      FlawedStore(reopening: $0)
    }
  }
}
