import CacheAside
import Testing

/// One way to write a call of `cached`, with the type that the compiler gave it.
///
/// The type tells the overload: a plain producer gives its own type as the value type, a `Produced`
/// one the type inside, and the shapes of callables differ by their number of arguments.
struct CallForm: Sendable, CustomTestStringConvertible {
  let form: String
  let picked: String
  let expected: String

  var testDescription: String { form }

  /// Notes the static type of a result or a callable.
  init<Result>(_ form: String, _ result: Result, is expected: String) {
    self.form = form
    self.expected = expected
    picked = String(describing: Result.self)
  }

  /// Notes a type that was found out otherwise.
  init(form: String, picked: String, expected: String) {
    self.form = form
    self.picked = picked
    self.expected = expected
  }
}

/// Something to cache.
struct User: Codable, Hashable, Sendable {
  var id: Int
}

func loadNumber() async throws -> Int { 1 }

func loadUser(_ id: Int) async throws -> User { User(id: id) }

func loadPage(_ query: String, _ page: Int) async throws -> [User] { [User(id: page)] }

func loadSlice(_ query: String, _ from: Int, _ to: Int) async throws -> [User] { [User(id: to)] }

func decideNumber() async throws -> Produced<Int> { Produced(1) }

func decideUser(_ id: Int) async throws -> Produced<User> { Produced(User(id: id)) }

func decidePage(_ query: String, _ page: Int) async throws -> Produced<[User]> {
  Produced([User(id: page)])
}

func renewNumber(_ previous: Previous<Int>?) async throws -> Produced<Int> {
  previous == nil ? Produced(1) : .notModified
}

func renewUser(_ id: Int, _ previous: Previous<User>?) async throws -> Produced<User> {
  previous == nil ? Produced(User(id: id)) : .notModified
}

func renewPage(
  _ query: String,
  _ page: Int,
  _ previous: Previous<[User]>?
) async throws -> Produced<[User]> {
  previous == nil ? Produced([User(id: page)]) : .notModified
}

func renewSlice(
  _ query: String,
  _ from: Int,
  _ to: Int,
  _ previous: Previous<[User]>?
) async throws -> Produced<[User]> {
  previous == nil ? Produced([User(id: to)]) : .notModified
}

func keyOfUser(_ id: Int) -> CacheKey { "user/\(id)" }

func partOfUser(_ user: User) -> Int { user.id }
