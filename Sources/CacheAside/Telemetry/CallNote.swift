// What one call of a traced request does, while it does it. The call's own code and that of the load
// it leads write to it; what comes after the call has ended is dropped.

import Synchronization

/// The entry of a trace in the making.
final class CallNote: Sendable {
  private struct State {
    var entry: CacheTrace.Entry
    var rule: CacheRule?
    var asked: (tier: String, at: Int64)?
    var answer: (finding: CacheFinding, error: String?)?
    var boarded: Int64?
    var isOver = false
  }

  /// Whose call it is: the steps of other features are not its own.
  let owner: ObjectIdentifier
  private let trace: CacheTrace
  private let time: TimeSource
  private let begun: Int64
  private let state: Lock<State>

  init(_ entry: CacheTrace.Entry, in trace: CacheTrace, of owner: AnyObject, time: TimeSource) {
    self.owner = ObjectIdentifier(owner)
    self.trace = trace
    self.time = time
    begun = time.precise
    state = Lock(State(entry: entry))
  }

  private func note(_ change: (inout State) -> Void) {
    state.withLock { if !$0.isOver { change(&$0) } }
  }

  /// A tier is about to be asked.
  func asks(_ tier: String) {
    let now = time.precise
    note {
      $0.asked = (tier, now)
      $0.answer = nil
    }
  }

  /// The tier knows already why it gives nothing.
  func refuses(_ finding: CacheFinding, _ error: (any Error)? = nil) {
    let text = error.map { "\($0)" }
    note { $0.answer = (finding, text) }
  }

  /// The tier has answered.
  func answers(_ finding: CacheFinding, age: Duration? = nil, tags: [Tag] = []) {
    let now = time.precise
    note { state in
      guard let asked = state.asked else { return }
      state.entry.tiers.append(
        CacheTrace.TierAnswer(
          tier: asked.tier,
          finding: state.answer?.finding ?? finding,
          age: age,
          took: .nanoseconds(max(0, now - asked.at)),
          error: state.answer?.error
        )
      )
      state.entry.tags += tags.filter { !state.entry.tags.contains($0) }
      state.asked = nil
    }
  }

  /// The call is about to wait for a load.
  ///
  /// - Parameters:
  ///   - joined: whether it was started for another call.
  ///   - moment: since when it waits; `nil` is now.
  func boards(joined: Bool, at moment: Int64? = nil) {
    let now = moment ?? time.precise
    note {
      $0.entry.flight = joined ? .joined : .led
      $0.boarded = now
    }
  }

  /// The producer has answered.
  func produces(in nanoseconds: Int64) {
    note { $0.entry.produced = .nanoseconds(nanoseconds) }
  }

  /// The producer has failed.
  func fails(_ error: any Error) {
    let text = "\(error)"
    note { $0.entry.producerErrors.append(text) }
  }

  /// A tier was given the value.
  func stores(in tier: String, _ isStored: Bool) {
    note { state in
      if isStored {
        state.entry.storedIn.append(tier)
      } else {
        state.entry.notStoredIn.append(tier)
      }
    }
  }

  /// A load begins behind the answer.
  func refreshes(_ rule: CacheRule) { note { $0.entry.refresh = rule } }

  /// A rule has decided that the result does not show.
  func decides(_ rule: CacheRule) { note { $0.rule = rule } }

  /// The call has ended.
  ///
  /// - Parameters:
  ///   - rule: the rule, unless another has decided.
  ///   - complete: fills in what the call got.
  func ends(_ rule: CacheRule, _ complete: (inout CacheTrace.Entry) -> Void = { _ in }) {
    let now = time.precise
    let entry = state.withLock { state -> CacheTrace.Entry? in
      if state.isOver { return nil }
      state.isOver = true
      state.entry.rule = state.rule ?? rule
      state.entry.took = .nanoseconds(max(0, now - begun))
      state.entry.waited = state.boarded.map { .nanoseconds(max(0, now - $0)) }
      return state.entry
    }
    guard var entry else { return }
    complete(&entry)
    trace.add(entry)
  }
}
