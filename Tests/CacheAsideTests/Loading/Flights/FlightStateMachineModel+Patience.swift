@testable import CacheAside

/// Callers who wait only so long, and a flight whose time is up.
extension FlightStateMachineModel {
  /// What may happen to a caller that waits or is about to.
  func patience(of caller: Int) -> [Step] {
    guard hasPatience else { return [] }
    return impatient.contains(caller) ? [.timeOut(caller)] : [.settle(caller), .timeOut(caller)]
  }

  mutating func timeOut(_ caller: Int) {
    guard let slot = slots[caller] else { return }
    let (waited, waiter) = machine.release(slot, .timedOut)
    hear(caller, waited, waiter, .timedOut, early: .timedOutEarly, late: .timedOut)
  }

  mutating func settle(_ caller: Int) {
    guard let slot = slots[caller] else { return }
    impatient.insert(caller)
    let (waited, waiter) = machine.settle(slot)
    guard hasFallback else {
      return check(
        !waited && waiter.map { _ in true } == nil,
        "without anything older an impatient caller waits"
      )
    }
    hear(caller, waited, waiter, .settled, early: .settledEarly, late: .settled)
  }

  /// A wait is over for one caller, who stays one who wants the result.
  private mutating func hear(
    _ caller: Int,
    _ waited: Bool,
    _ waiter: Waiter?,
    _ end: Waiter.End,
    early: Caller,
    late: Caller
  ) {
    check(waited == !isOver, "whoever waits for a running flight can be released")
    waiter?.resume(end)
    check(
      woken.take() == (callers[caller] == .parked && !isOver ? [caller] : []),
      "who is released is told if it is parked, and nobody else"
    )
    guard waited else { return }
    released += 1
    callers[caller] = callers[caller] == .parked ? late : early
  }

  mutating func offer() {
    let expected: Set<Int> =
      isOver ? [] : impatient.filter { [.reserved, .parked].contains(callers[$0]) }
    let parked = expected.filter { callers[$0] == .parked }
    hasFallback = true
    let (count, waiters) = machine.offerFallback()
    check(count == expected.count, "every impatient caller takes what is offered, and no other")
    for waiter in waiters { waiter.resume(.settled) }
    check(Set(woken.take()) == parked, "the parked ones are told")
    for caller in expected {
      released += 1
      callers[caller] = callers[caller] == .parked ? .settled : .settledEarly
    }
  }

  /// A timer or a cancellation that comes when its caller's wait is over ends nobody's wait, whoever
  /// has the slot by then.
  mutating func checkLate() {
    for (caller, slot) in slots where ![.reserved, .parked].contains(callers[caller]) {
      var late = machine
      let leaving = late.leave(slot)
      let (hasWaited, released) = late.release(slot, .timedOut)
      let (hasSettled, settled) = late.settle(slot)
      for waiter in [leaving.waiter, released, settled] { waiter?.resume(.left) }
      var isQuiet = woken.take().isEmpty && !hasWaited && !hasSettled
      if case .none = leaving.consequence {} else { isQuiet = false }
      check(
        isQuiet && late.waiterCount == machine.waiterCount && late.impatient == machine.impatient,
        "who waits no more ends nobody's wait"
      )
    }
  }

  mutating func installLimit() {
    let isOfUse = machine.install(limit: Deadline())
    check(isOfUse == !isOver, "a time limit is kept while the flight runs")
    hasLimit = true
  }

  mutating func giveUp() {
    if machine.close() {
      let late = machine.finish()
      check(late.map { _ in true } == nil, "a result of its work comes too late")
    }
    let finishing = machine.finish(givingUp: true)
    check((finishing == nil) == isOver, "a flight is given up while it runs")
    let parked = order.filter { callers[$0] == .parked }
    wasGivenUp = true
    guard let finishing else { return }
    isGivenUp = true
    check((finishing.job != nil) == isInstalled, "its work is cancelled")
    if finishing.job != nil { cancels += 1 }
    finishing.waiters.forEachParked { $0.resume(.ended) }
    let told = woken.take()
    check(told == parked, "the parked are told, in their order")
    for caller in told { callers[caller] = .ended }
  }
}
