/// What the source answers.
struct Reading: Codable, Sendable {
  /// Which start of the source it is from.
  let epoch: Int
  /// Its number among the answers of that start.
  let number: Int

  /// Reads the body of an answer.
  init(body: some StringProtocol) throws {
    let words = body.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0] == "reading", let epoch = Int(words[1]),
      let number = Int(words[2])
    else { throw Complaint("the source answered something else than a reading") }
    self.epoch = epoch
    self.number = number
  }
}
