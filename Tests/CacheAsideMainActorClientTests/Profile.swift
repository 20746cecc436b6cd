/// A value of an app whose code is on the main actor by default: values say `nonisolated`.
nonisolated struct Profile: Codable, Hashable, Sendable {
  var id: Int
  var name: String
}
