// instructions
//
// Runs every form of a hit a known number of times, for callgrind to count; `.scripts/instructions.sh`
// runs it and prints instructions a hit. The loop around the hits is part of the figure.
import CacheAside
import Dispatch
import InstructionCounter

guard instruction_count_works() != 0 else {
  preconditionFailure("built without valgrind/callgrind.h")
}

// The main thread waits: valgrind does not bear that it ends before the others, as it does when the
// entry point is asynchronous.
let isDone = DispatchSemaphore(value: 0)
Task.detached {
  do {
    try await Hits().run()
    print(Hits.count)
  } catch {
    preconditionFailure("\(error)")
  }
  isDone.signal()
}
isDone.wait()
