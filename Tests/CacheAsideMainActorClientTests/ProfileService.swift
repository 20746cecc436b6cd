/// What an app asks over the network.
actor ProfileService {
  private(set) var loads = 0

  func profile(_ id: Int) -> Profile {
    loads += 1
    return Profile(id: id, name: "profile \(id)")
  }

  /// The callback style of the same.
  nonisolated func profile(
    _ id: Int,
    completion: @Sendable (Result<Profile, any Error>) -> Void
  ) {
    completion(.success(Profile(id: id, name: "profile \(id)")))
  }
}
