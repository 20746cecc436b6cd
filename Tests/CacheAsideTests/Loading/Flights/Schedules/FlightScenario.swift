import Testing

@testable import CacheAside

/// Who does what to one key, for every order of it.
struct FlightScenario: Sendable, CustomTestStringConvertible {
  /// A caller, or the one who starts a background load.
  struct Caller: Sendable {
    var reloads = false
    var isBackground = false
    var cancels = false
    var settles = false
    var timesOut = false

    static let plain = Caller()
    static let cancelling = Caller(cancels: true)
    static let reloading = Caller(reloads: true)
    static let background = Caller(isBackground: true)
    static let impatient = Caller(settles: true)
    static let limited = Caller(timesOut: true)
  }

  /// What the work of every flight may do beside storing and ending.
  struct Work: OptionSet, Sendable {
    let rawValue: Int

    static let fails = Work(rawValue: 1)
    static let offers = Work(rawValue: 2)
    static let isGivenUp = Work(rawValue: 4)
    /// It gives its key to a background load.
    static let isReplaced = Work(rawValue: 8)
  }

  /// A fault that is planted, to show that it is found.
  enum Fault: Sendable, CaseIterable {
    /// Whoever looked a flight up joins it, also if its last waiter has left meanwhile.
    case joinAtZero
    /// What ends takes out whatever is registered for its key.
    case unregisterByKey
    /// What was superseded is stored all the same.
    case storeAfterInvalidation
  }

  let testDescription: String
  var callers: [Caller]
  var work: Work = []
  var sets = false
  var removes = false
  var whenUnobserved = WhenUnobserved.cancel
  var maximumLength = Int.max
  var fault: Fault?
}
