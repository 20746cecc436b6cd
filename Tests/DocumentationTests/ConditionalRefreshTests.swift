import CacheAside
import Testing

@Suite(OwnCaches(), .timeLimit(.minutes(60))) struct ConditionalRefreshTests {
  @Test func `ask whether it has changed`() async throws {
    // snippet: Ask whether it has changed
    let feed = cached(
      key: { "feed/\($0)" },
      expiry: .minutes(1),
      staleIfError: .hours(1)
    ) { (name: String, previous: Previous<Feed>?) -> Produced<Feed> in
      let response = try await api.feed(name, ifNoneMatch: previous?.validator)
      guard let feed = response.feed else { return .notModified }
      return Produced(feed, validator: response.etag)
    }

    let news = try await feed("news")
    // end
    #expect(news.items == ["news 1"])
    #expect(try await feed.refresh("news") == news)
  }

  @Test func `forms`() async throws {
    // snippet: Forms
    let count = cached("inbox") { (user: Int, previous: Previous<Int>?) in
      Produced((previous?.value ?? 0) + 1)
    }
    #expect(try await count(1) == 1)
    #expect(try await count.refresh(1) == 2)
    // end
  }
}
