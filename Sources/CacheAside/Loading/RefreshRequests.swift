import Synchronization

// What was asked to be loaded again, for the values that were not in memory then: a record of a
// slower store that was made before is due when a load finds it. Marking what is in memory is
// `Cache+Refreshing`.
//
// Bounded: when there is no room for another subject, all of them become one, which reaches
// everything. That costs loads, never a request.

/// The requests of a feature, each with its moment.
final class RefreshRequests: Sendable {
  /// What a request reaches.
  enum Subject: Hashable, Sendable {
    case key(CacheKey)
    case tag(Tag)
    case allOf(Set<Tag>)
    case scope(CacheScope)
  }

  private struct Condition: Sendable {
    let selects: @Sendable (CacheSelector.Entry) -> Bool
    let moment: Int64
  }

  private struct State {
    /// Microseconds since 1970, as the other moments here.
    var everything = Int64.min
    var moments: [Subject: Int64] = [:]
    /// The subjects of several tags among them; there are few.
    var conjunctions: Set<Set<Tag>> = []
    var shapes = ScopeShapes()
    var conditions: [Condition] = []
  }

  private let state = Lock(State())
  private let begun = Atomic<Bool>(false)
  private let limit: Int

  private static let mostConditions = 64

  init(limit: Int = 10_000) { self.limit = limit }

  /// Whether there was any request.
  var isInUse: Bool { begun.load(ordering: .acquiring) }

  /// Notes a request.
  ///
  /// - Parameters:
  ///   - selector: what it reaches.
  ///   - keys: its keys in their namespaces, if it names keys.
  ///   - moment: when it was made, in microseconds since 1970.
  func note(_ selector: CacheSelector, keys: [CacheKey], at moment: Int64) {
    // Conditions hold what a user's closures have captured.
    var released = ReleasedAfterUnlock()
    state.withLock { state in
      switch selector.kind {
      case .keys: for key in keys { note(.key(key), moment, &state, &released) }
      case .tags(.anyOf(let tags)): for tag in tags { note(.tag(tag), moment, &state, &released) }
      case .tags(.allOf(let tags)) where tags.isEmpty: break
      case .tags(.allOf(let tags)):
        note(.allOf(Set(tags)), moment, &state, &released)
        if state.moments[.allOf(Set(tags))] != nil { state.conjunctions.insert(Set(tags)) }
      case .scope(let scope):
        if !scope.isEmpty, !state.shapes.insert(scope) {
          reachEverything(moment, &state, &released)
        }
        note(.scope(scope), moment, &state, &released)
      case .condition(let condition):
        state.conditions.append(Condition(selects: condition, moment: moment))
        if state.conditions.count > Self.mostConditions {
          reachEverything(moment, &state, &released)
        }
      case .tags(.everything), .all: state.everything = max(state.everything, moment)
      }
    }
    begun.store(true, ordering: .releasing)
  }

  private func note(
    _ subject: Subject,
    _ moment: Int64,
    _ state: inout State,
    _ released: inout ReleasedAfterUnlock
  ) {
    if state.moments[subject] == nil, state.moments.count >= limit {
      reachEverything(moment, &state, &released)
    } else {
      state.moments[subject] = moment
    }
  }

  private func reachEverything(
    _ moment: Int64,
    _ state: inout State,
    _ released: inout ReleasedAfterUnlock
  ) {
    released.keep(state.conditions)
    state = State(everything: moment)
  }

  /// Whether a record that was made before is to be loaded again.
  ///
  /// - Parameters:
  ///   - storeKey: its key in its namespace.
  ///   - record: the record.
  ///   - wall: the present, in microseconds since 1970.
  /// - Returns: whether a request after it was made reaches it.
  func reach(_ storeKey: CacheKey, _ record: CacheEntry, wall: Int64) -> Bool {
    guard isInUse else { return false }
    let tags = record.metadata.tags
    let (isReached, conditions) = state.withLock { state -> (Bool, [Condition]) in
      func isLater(_ subject: Subject) -> Bool {
        state.moments[subject].map { $0 > record.created } ?? false
      }
      if state.everything > record.created { return (true, []) }
      let scope = storeKey.namespace?.scope ?? .none
      if isLater(.key(storeKey)) || isLater(.scope(scope))
        || state.shapes.enclosing(scope).contains(where: { isLater(.scope($0)) })
        || tags.contains(where: { isLater(.tag($0)) })
        || state.conjunctions.contains(where: { $0.isSubset(of: tags) && isLater(.allOf($0)) })
      {
        return (true, [])
      }
      return (false, state.conditions.filter { $0.moment > record.created })
    }
    if isReached || conditions.isEmpty { return isReached }
    // Outside the lock: conditions are the user's code.
    let entry = CacheSelector.Entry(storeKey, record, wall: wall)
    return conditions.contains { $0.selects(entry) }
  }
}
