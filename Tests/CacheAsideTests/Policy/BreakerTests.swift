import CacheAsideTesting
import Testing

@testable import CacheAside

/// The breaker's state, beside a model that keeps the whole history.
@Suite(.timeLimit(.minutes(60)))
struct BreakerTests {
  private final class Load: Sendable {}

  private let loads = (0..<6).map { _ in Load() }
  private func id(_ load: Int) -> Breaker.Load { ObjectIdentifier(loads[load]) }

  private func isHeldBack(_ admission: Breaker.Admission) -> Bool {
    if case .heldBack = admission { true } else { false }
  }

  private func isProbe(_ admission: Breaker.Admission) -> Bool {
    if case .probe = admission { true } else { false }
  }

  private func failing(_ count: Int, now: Int64 = 0) -> Breaker {
    var breaker = Breaker()
    for _ in 0..<count {
      _ = breaker.fail(id(0), EngineError.net, now: now, pause: 10, limit: 3)
    }
    return breaker
  }

  @Test func `a row of failures opens it, and a value in between starts the row anew (F10)`() {
    var breaker = failing(2)
    #expect(breaker.succeed() == .none)
    #expect(breaker.fail(id(0), EngineError.net, now: 0, pause: 10, limit: 3) == .none)
    #expect(breaker.fail(id(0), EngineError.net, now: 0, pause: 10, limit: 3) == .none)
    #expect(!breaker.holdsBack(0))
    #expect(breaker.fail(id(0), EngineError.boom, now: 0, pause: 10, limit: 3) == .opened)
    #expect(breaker.holdsBack(9))
    #expect(!breaker.holdsBack(10))
    #expect(breaker.cause as? EngineError == .boom)
  }

  @Test func `one load at a time tries, for as long as a pause (F10)`() {
    var breaker = failing(3)
    #expect(isHeldBack(breaker.admit(id(1), now: 9, pause: 10)))
    #expect(isProbe(breaker.admit(id(1), now: 10, pause: 10)))
    #expect(isProbe(breaker.admit(id(1), now: 11, pause: 10)), "it is the one already")
    #expect(isHeldBack(breaker.admit(id(2), now: 19, pause: 10)))
    #expect(isProbe(breaker.admit(id(2), now: 20, pause: 10)), "the first has taken too long")
    breaker.end(id(1))
    #expect(isHeldBack(breaker.admit(id(3), now: 21, pause: 10)), "the place is not its any more")
  }

  @Test func `the place of the one that tries is free when it ends (F10)`() {
    var breaker = failing(3)
    #expect(isProbe(breaker.admit(id(1), now: 10, pause: 10)))
    breaker.end(id(1))
    #expect(isProbe(breaker.admit(id(2), now: 11, pause: 10)))
    #expect(breaker.fail(id(2), EngineError.boom, now: 12, pause: 10, limit: 3) == .none)
    #expect(isHeldBack(breaker.admit(id(3), now: 21, pause: 10)))
    #expect(isProbe(breaker.admit(id(3), now: 22, pause: 10)))
    #expect(breaker.succeed() == .closed)
    #expect(breaker.isFresh)
    #expect(!isHeldBack(breaker.admit(id(4), now: 22, pause: 10)))
  }

  /// What the breaker has to answer, from the whole history.
  private struct Model {
    var row = 0
    var isOpen = false
    var freeFrom: Int64 = 0
    var holder: Int?

    mutating func admits(_ load: Int, _ now: Int64) -> String {
      if !isOpen { return "free" }
      if holder == load { return "probe" }
      guard now >= freeFrom else { return "heldBack" }
      holder = load
      freeFrom = now + 7
      return "probe"
    }

    mutating func ends(_ load: Int, _ end: Int, _ now: Int64) {
      if end == 0 {
        self = Model()
      } else if isOpen {
        guard holder == load else { return }
        holder = nil
        freeFrom = end == 1 ? now + 7 : .min
      } else if end == 1 {
        row += 1
        if row == 3 {
          isOpen = true
          freeFrom = now + 7
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `random histories come to what the model says (F10)`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var breaker = Breaker()
    var model = Model()
    var now: Int64 = 0
    for step in 0..<2_000 {
      now += Int64.random(in: 0...3, using: &random)
      let load = Int.random(in: 0..<6, using: &random)
      if Bool.random(using: &random) {
        let got =
          switch breaker.admit(id(load), now: now, pause: 7) {
          case .free: "free"
          case .probe: "probe"
          case .heldBack: "heldBack"
          }
        #expect(got == model.admits(load, now), "seed \(seed), step \(step)")
      } else {
        // A value is rarer, so that it is open now and then.
        let end = [0, 1, 1, 1, 1, 2, 2][Int.random(in: 0..<7, using: &random)]
        switch end {
        case 0: _ = breaker.succeed()
        case 1: _ = breaker.fail(id(load), EngineError.net, now: now, pause: 7, limit: 3)
        default: breaker.end(id(load))
        }
        model.ends(load, end, now)
      }
      #expect((breaker.cause != nil) == model.isOpen, "seed \(seed), step \(step)")
    }
  }
}
