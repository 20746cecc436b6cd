extension Namespace {
  /// Reads a namespace back from its printable form, or fails when it is not that of any.
  ///
  /// - Parameter description: what ``description`` gave.
  public init?(description: String) {
    var fields = description.split(separator: ";", omittingEmptySubsequences: false)[...]
    guard let head = fields.popFirst() else { return nil }
    let names = head.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = names[0] == "%-" ? "" : CacheKey.unescaped(names[0]) else { return nil }
    var version: Int?
    if names.count == 2 {
      version = Int(names[1])
      guard version != nil else { return nil }
    }
    var scope = CacheScope.none
    for field in fields {
      let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = CacheKey.unescaped(halves[0]),
        let value = CacheKey.unescaped(halves[1])
      else { return nil }
      scope = scope.adding(name, value)
    }
    self.init(name, version: version, scope: scope)
    // One printable form only: other spellings of the same parts are refused.
    guard Array(self.description.utf8) == Array(description.utf8) else { return nil }
  }
}
