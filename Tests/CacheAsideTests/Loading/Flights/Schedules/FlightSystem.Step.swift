extension FlightSystem {
  /// What happens at once, by the number of the caller or of the flight that it happens to.
  enum Step: Equatable, Sendable, CustomStringConvertible {
    /// A caller looks for a flight and finds one or registers its own.
    case look(Int)
    /// It takes a slot in the flight that it has found.
    case join(Int)
    /// A leader looks into memory again.
    case probe(Int)
    /// A leader starts the work.
    case start(Int)
    /// A leader hands the work's task to the flight.
    case install(Int)
    case park(Int)
    case cancel(Int)
    /// A caller would take something older.
    case settle(Int)
    case timeOut(Int)

    /// The work of a flight has something older.
    case offer(Int)
    /// It gives its key to a background load.
    case replace(Int)
    case store(Int)
    case end(Int)
    case fail(Int)
    case giveUp(Int)

    case registerWrite
    case commitWrite
    case endWrite
    case closeForRemoval
    case removeFromMemory

    var description: String {
      switch self {
      case .look(let caller): "caller \(caller) looks for a flight"
      case .join(let caller): "caller \(caller) joins what it found"
      case .probe(let caller): "caller \(caller) leads and looks into memory"
      case .start(let caller): "caller \(caller) starts the work"
      case .install(let caller): "caller \(caller) hands its task over"
      case .park(let caller): "caller \(caller) waits"
      case .cancel(let caller): "caller \(caller) is cancelled"
      case .settle(let caller): "caller \(caller) would take something older"
      case .timeOut(let caller): "caller \(caller) waits no more"
      case .offer(let flight): "flight \(flight) has something older"
      case .replace(let flight): "flight \(flight) gives its key to a background load"
      case .store(let flight): "flight \(flight) stores"
      case .end(let flight): "flight \(flight) ends"
      case .fail(let flight): "flight \(flight) fails"
      case .giveUp(let flight): "flight \(flight) is given up"
      case .registerWrite: "a write begins"
      case .commitWrite: "the write stores"
      case .endWrite: "the write returns"
      case .closeForRemoval: "a removal closes what is registered"
      case .removeFromMemory: "the removal empties memory and returns"
      }
    }
  }
}
