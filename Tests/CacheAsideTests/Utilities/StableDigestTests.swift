import Testing

@testable import CacheAside

@Suite struct StableDigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `agrees with the vectors of FIPS 180-4`(message: String, digest: String) {
    #expect(Hex.lowercase(StableDigest.hash(Array(message.utf8))) == digest)
  }

  @Test func `takes a million bytes`() {
    let digest = StableDigest.hash([UInt8](repeating: 0x61, count: 1_000_000))
    #expect(
      Hex.lowercase(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )
  }

  @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 127, 128, 200])
  func `gives one digest however the message is cut`(piece: Int) {
    let message = (0..<200).map { UInt8($0) }
    var digest = StableDigest()
    for start in stride(from: 0, to: message.count, by: piece) {
      digest.update(Array(message[start..<min(start + piece, message.count)]))
      digest.update([])
    }
    #expect(digest.finalize() == StableDigest.hash(message))
  }

  @Test func `gives a different digest for every length around a block`() {
    let digests = (0...130).map { StableDigest.hash([UInt8](repeating: 7, count: $0)) }
    #expect(Set(digests).count == 131)
    #expect(digests.allSatisfy { $0.count == 32 })
  }
}
