import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct InvalidationTests {
  @Test func `tag entries, remove a tag`() async throws {
    // snippet: Tag entries, remove a tag
    let caches = try Caches {
      Feature("pages", expiry: .hours(1)) { Memory() }
    }
    let pages = try caches["pages"]
    let page = pages.cached("page") { (id: Int) -> Produced<String> in
      let user = try await api.user(id)
      return Produced("<h1>\(user.name)</h1>", tags: ["user/\(id)", "pages"])
    }
    _ = try await page(42)

    try await pages.remove(.tag("user/42"))
    #expect(page.peek(42) == nil)
    // end
  }

  @Test func `three verbs`() async throws {
    // snippet: Three verbs
    let caches = try Caches {
      Feature("users", expiry: .hours(1)) { Memory() }
    }
    let users = try caches["users"]
    let name = users.cached("name", policy: CachePolicy(tags: ["users"])) { (id: Int) in
      try await api.user(id).name
    }
    _ = try await name(42)

    try await users.expire(.tags(allOf: ["users", "team/7"]))
    #expect(name.peek(42) == "Ada")

    let changed = try await users.invalidating(.tag("users")) {
      try await api.user(42)
    }
    #expect(changed.id == 42)
    #expect(name.peek(42) == nil)
    // end
  }

  @Test func `refresh behind`() async throws {
    // snippet: Refresh behind
    let caches = try Caches {
      Feature("users", expiry: .hours(1)) { Memory() }
    }
    let users = try caches["users"]
    let name = users.cached("name") { (id: Int) in try await api.user(id).name }
    _ = try await name(42)

    try users.refresh(.all)
    #expect(try await name(42) == "Ada")  // at once; a load runs behind it

    // One entry, now, and wait for it:
    try await name.refresh(42)
    // end
  }
}
