// Checks: namespaces are parts of the identity, and no patterns.
import CacheAside

extension CacheStoreConformance.Trial {
  private static var namespaces: [Namespace] {
    [
      "user", "user2", "use", "USER", "us*r", "us?r", "us%r", "us_r", "[a]", "a", "", " ",
      "user:", "user/", "usér", "user\u{0}",
    ].map { Namespace($0) } + [Namespace("user", version: 1), Namespace("user", version: 2)]
  }

  func namespacesAreSeparate() async throws {
    for namespace in Self.namespaces {
      try await store.set(entry(namespace.description), for: key("k", in: namespace))
    }
    for namespace in Self.namespaces {
      let expected = entry(namespace.description)
      try await expectEntry(expected, for: key("k", in: namespace), "namespace \(namespace)")
    }
    try await store.remove(key("k", in: Namespace("user")))
    for namespace in Self.namespaces {
      let isGone = namespace == Namespace("user")
      let expected = isGone ? nil : entry(namespace.description)
      try await expectEntry(expected, for: key("k", in: namespace), "namespace \(namespace)")
    }
  }

  func namespaceAndTextAreNotJoined() async throws {
    for separator in [":", "/", "\u{0}", "\u{1F}", "|", "", "@", "-"] {
      let one = key("b\(separator)c", in: Namespace("a"))
      let other = key("c", in: Namespace("a\(separator)b"))
      let (first, second) = (entry("one"), entry("other"))
      try await store.set(first, for: one)
      try await store.set(second, for: other)
      try await expectEntry(first, for: one, "separator \(separator.debugDescription)")
      try await expectEntry(second, for: other, "separator \(separator.debugDescription)")
    }
  }

  func removeAllInNamespace() async throws {
    for removed in Self.namespaces {
      for namespace in Self.namespaces {
        try await store.set(entry("1"), for: key("one", in: namespace))
        try await store.set(entry("2"), for: key("two", in: namespace))
      }
      try await store.removeAll(in: removed)
      for namespace in Self.namespaces {
        for text in ["one", "two"] {
          let isThere = try await store.entry(for: key(text, in: namespace)) != nil
          expect(
            isThere == (namespace != removed),
            "removing namespace \"\(removed)\" "
              + (isThere ? "left itself" : "took namespace \"\(namespace)\" too")
          )
        }
      }
    }
  }

  func scopesOfNamespace() async throws {
    let plain = Namespace("user")
    let first = Namespace("user", scope: CacheScope(["tenant": "a"]))
    let second = Namespace("user", scope: CacheScope(["tenant": "b"]))
    let other = Namespace("user", version: 2, scope: CacheScope(["tenant": "a"]))
    let nested = Namespace("user", scope: CacheScope(["locale": "de", "tenant": "a", "user": "1"]))
    let apart = Namespace("user", scope: CacheScope(["tenant": "b", "user": "a"]))
    let all = [plain, first, second, other, nested, apart]
    for namespace in all { try await store.set(entry("value"), for: key("k", in: namespace)) }

    try await store.removeAll(in: first)
    for namespace in all {
      let isThere = try await store.entry(for: key("k", in: namespace)) != nil
      expect(
        isThere == (namespace != first && namespace != nested),
        "removing one scope and those within it: namespace \"\(namespace)\""
      )
    }
    try await store.removeAll(in: plain)
    for namespace in all {
      let isThere = try await store.entry(for: key("k", in: namespace)) != nil
      expect(isThere == (namespace == other), "removing all scopes: namespace \"\(namespace)\"")
    }
  }

  func removeEverything() async throws {
    for namespace in Self.namespaces {
      try await store.set(entry("value"), for: key("k", in: namespace))
    }
    try await store.removeAll(in: nil)
    for namespace in Self.namespaces {
      try await expectEntry(nil, for: key("k", in: namespace), "namespace \(namespace)")
    }
  }
}
