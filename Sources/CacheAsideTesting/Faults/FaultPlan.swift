// Which faults the next calls of a store meet. Called by `FaultInjectingStore` only.
import CacheAside
import Synchronization

final class FaultPlan: Sendable {
  /// What one call meets, all its faults together.
  struct Fate {
    var gates: [Gate] = []
    var failure: (any Error)?
    var lateFailure: (any Error)?
    var isLost = false
    var distortions: [([UInt8]) -> [UInt8]] = []

    mutating func add(_ fault: StoreFault) {
      switch fault.effect {
      case .fail(let error): failure = failure ?? error
      case .failAfterwards(let error): lateFailure = lateFailure ?? error
      case .delay(let gate): gates.append(gate)
      case .lose: isLost = true
      case .tear: distortions.append { Array($0.prefix($0.count / 2)) }
      case .garble: distortions.append { $0.map { ~$0 } }
      }
    }

    func distort(_ entry: CacheEntry) -> CacheEntry {
      var entry = entry
      entry.payload = entry.payload.map { payload in
        distortions.reduce(payload) { bytes, distort in distort(bytes) }
      }
      return entry
    }
  }

  private struct Rule {
    let kinds: Set<StoreOperation.Kind>
    let fault: StoreFault
    var rest: Int?
  }

  private let rules = Lock<[Rule]>([])

  /// The manual clock of the cache that uses the store.
  let clock = Lock<ManualClock?>(nil)

  /// Whether a call may be held at a gate.
  var holdsCalls: Bool {
    rules.withLock { rules in
      rules.contains { if case .delay = $0.fault.effect { true } else { false } }
    }
  }

  func add(_ fault: StoreFault, kinds: Set<StoreOperation.Kind>, times: Int?) {
    rules.withLock { $0.append(Rule(kinds: kinds, fault: fault, rest: times)) }
  }

  func removeAll() { rules.withLock { $0 = [] } }

  /// The faults of one call; each counts as met.
  func fate(of kind: StoreOperation.Kind) -> Fate {
    let faults = rules.withLock { rules in
      var faults: [StoreFault] = []
      for index in rules.indices where rules[index].kinds.contains(kind) {
        if let rest = rules[index].rest {
          if rest <= 0 { continue }
          rules[index].rest = rest - 1
        }
        faults.append(rules[index].fault)
      }
      rules.removeAll { $0.rest.map { $0 <= 0 } ?? false }
      return faults
    }
    return faults.reduce(into: Fate()) { $0.add($1) }
  }
}
