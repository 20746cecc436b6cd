import Foundation

/// Runs a body on some threads of their own and adds up what it returns; one runs right here.
///
/// Not inlined: in an asynchronous pass the body's locals would lie in the task's memory, and every
/// key would be written there and read back.
@inline(never)
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Int) -> Int {
  if count == 1 { return body(0) }
  let sums = LockedValue(0)
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      let sum = body(index)
      sums.with { $0 &+= sum }
      group.leave()
    }
  }
  group.wait()
  return sums.with { $0 }
}
