import Testing

/// What the sources may name, import and be called; read from the files themselves.
@Suite(.timeLimit(.minutes(60))) struct ArchitectureTests {
  /// The rooms of the module in the order of a request: each may name those after it.
  static let rooms = ["DSL", "Loading", "Policy", "Store", "Telemetry", "Utilities"]

  /// Files that import Foundation without being a `…+Foundation` bridge, and why.
  static let foundationFiles: [String: String] = [
    "Store/Codec/JSONCodec.swift": "JSONEncoder, JSONDecoder",
    "Store/Codec/Codec+Automatic.swift": "recognises Data",
    "Store/Codec/Codec+RawData.swift": "Data as bytes",
    "DSL/ObjectCache+Folder.swift": "takes a URL",
    "Utilities/Platform/StandardFolder.swift": "Apple's folders",
    "Utilities/Platform/Normalize.swift": "normal forms on Apple platforms",
  ]

  private static let everything = Result {
    try SourceFile.all(below: "Sources", "Tests", "Examples")
  }

  private func files(below folders: String...) throws -> [SourceFile] {
    try Self.everything.get().filter { file in folders.contains { file.path.hasPrefix($0 + "/") } }
  }

  /// Names of files that extend what has the name only as an alias.
  static let aliases = ["ObjectCache": "Cache"]

  /// The rooms whose types a room may name: itself, those after it, and the keys.
  static func allowed(in room: String) -> Set<String> {
    if room == "Key" { return ["Key", "Utilities"] }
    if room == "Utilities" { return ["Utilities"] }
    return Set(rooms.drop { $0 != room } + ["Key"])
  }

  /// Whoever else calls a store about its records forgets tombstones, gate or deadline.
  @Test func `only one file calls a store about its records (B362)`() throws {
    let files = try files(below: "Sources/CacheAside")
    let storeCall =
      /\b(?:store|blocking)[?!]?\.(?:entry|entries|set|remove|removeAll|removeExpired|scan|invalidate|invalidation|entryBlocking|setBlocking|removeBlocking|removeAllBlocking|removeExpiredBlocking|scanBlocking|invalidateBlocking)\(/
    let callers = files.filter { $0.text.contains(storeCall) }.map(\.path)
    #expect(callers == ["Sources/CacheAside/Store/Tiers/Tier+Store.swift"])
  }

  @Test func `every file of the module is in one of its rooms`() throws {
    let known = Set(Self.rooms + ["Key"])
    let files = try files(below: "Sources/CacheAside")
    #expect(files.filter { !known.contains($0.room) }.map(\.path) == [])
    #expect(Set(files.map(\.room)) == known)
  }

  @Test(arguments: rooms + ["Key"])
  func `a room names no type of a room before it`(room: String) throws {
    let files = try files(below: "Sources/CacheAside")
    let allowed = Self.allowed(in: room)
    var home: [String: Set<String>] = [:]
    for file in files {
      for type in file.declarations { home[type.name, default: []].insert(file.room) }
    }
    // A name that an allowed room declares too means that one here.
    let forbidden = home.filter { $0.value.isDisjoint(with: allowed) }
    #expect(room == "DSL" || !forbidden.isEmpty)
    for file in files where file.room == room {
      let named = Set(file.words.map { String($0.word) }).intersection(forbidden.keys)
      for name in named.subtracting(file.ownNames).sorted() {
        let homes = forbidden[name, default: []].sorted().joined(separator: ", ")
        Issue.record("\(file.path) names \(name), which belongs to \(homes)")
      }
    }
  }

  @Test func `only bridges, codecs and folders import Foundation`() throws {
    var listed = Set(Self.foundationFiles.keys.map { "Sources/CacheAside/\($0)" })
    for file in try files(below: "Sources")
    where file.imports.contains("Foundation") || file.imports.contains("FoundationEssentials") {
      let isKnown = listed.remove(file.path) != nil || file.stem.hasSuffix("+Foundation")
      #expect(isKnown, "\(file.path) imports Foundation")
    }
    #expect(listed == [], "these need no entry in the list")
  }

  @Test func `only the testing product and the tests import Testing`() throws {
    for file in try files(below: "Sources", "Examples")
    where file.imports.contains("Testing") {
      #expect(file.path.hasPrefix("Sources/CacheAsideTesting/"), "\(file.path) imports Testing")
    }
  }

  @Test func `nothing avoids the checks of the language`() throws {
    let banned = ["nonisolated(unsafe)", "try!", "fatalError("]
    for file in try Self.everything.get() {
      for word in banned where file.code.contains(word) {
        Issue.record("\(file.path) has \(word)")
      }
    }
  }

  @Test func `every unchecked conformance says why it holds`() throws {
    for file in try Self.everything.get() where file.code.contains("@unchecked Sendable") {
      let uses = file.code.split(separator: "@unchecked Sendable").count - 1
      let reasons = file.text.split(separator: "`@unchecked Sendable`:").count - 1
      #expect(reasons >= min(uses, 1), "\(file.path) gives no reason: // `@unchecked Sendable`: …")
    }
  }

  @Test func `no test waits for time to pass`() throws {
    let waits = [
      "Task.sleep", "Clock().sleep", "usleep", "nanosleep", "Thread.sleep", "asyncAfter",
    ]
    // Programs that measure, look at the end of a real second, or run for minutes.
    let programs = ["Tests/Benchmarks/", "Tests/LateTest/", "Tests/SoakTest/"]
    for file in try files(below: "Tests")
    where !programs.contains(where: { file.path.hasPrefix($0) }) {
      for wait in waits where file.code.contains(wait) {
        Issue.record("\(file.path) calls \(wait)")
      }
    }
  }

  /// Beside all others on a busy machine, a test with many suspensions takes as long as all together.
  @Test func `every limit of a suite's time is an hour`() throws {
    let limit = /timeLimit\(\.[a-z]+\([0-9]+\)\)/
    for file in try files(below: "Tests") {
      for match in file.text.matches(of: limit) where match.output != "timeLimit(.minutes(60))" {
        Issue.record("\(file.path) has \(match.output)")
      }
    }
  }

  @Test func `files are short, named after their type, and hold one public type`() throws {
    for file in try Self.everything.get() {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      #expect(lines <= 400, "\(file.path) has \(lines) lines")
    }
    for file in try files(below: "Sources") {
      let parts = file.stem.split(separator: "+")
      let type = parts.first?.split(separator: ".").last.map(String.init) ?? ""
      let name = Self.aliases[type] ?? type
      // `Protocol+Feature` may extend other types with the protocol.
      let isExtendedWith = parts.count == 2 && file.words.contains { $0.word == name }
      #expect(parts.count <= 2, "\(file.path) has more than one feature in its name")
      #expect(file.namesakes.contains(name) || isExtendedWith, "\(file.path) has no \(type)")
      let types = file.declarations.filter(\.isPublicTopLevel).map(\.name)
      #expect(types.count <= 1, "\(file.path) declares \(types)")
    }
  }
}
