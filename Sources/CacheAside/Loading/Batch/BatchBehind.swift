/// The batch that loads behind the answers of another one or of a read; made when there is something
/// for it.
final class BatchBehind<ID: Hashable & Sendable, Value: Sendable> {
  private let table: Cache<CacheKey, Value>
  private let absences: Absences<Value>
  private let request: BatchRequest<ID, Value>
  private let terms: LoadTerms
  private let mode: CacheMode
  private var load: BatchLoad<ID, Value>?
  private var isFull = false

  /// - Parameters:
  ///   - table: the table of the values.
  ///   - absences: where it is remembered what is absent.
  ///   - request: the function.
  ///   - terms: its terms.
  ///   - mode: whether it looks before it loads.
  init(
    _ table: Cache<CacheKey, Value>,
    _ absences: Absences<Value>,
    _ request: BatchRequest<ID, Value>,
    _ terms: LoadTerms,
    mode: CacheMode = .default
  ) {
    self.table = table
    self.absences = absences
    self.request = request
    self.terms = terms
    self.mode = mode
  }

  convenience init(_ front: BatchLoad<ID, Value>) {
    self.init(front.table, front.absences, front.request, front.terms)
  }

  /// Makes a flight of this batch for a key, unless it has another than the one to replace.
  func board(
    _ ask: BatchAsk<ID>,
    _ refresh: Refresh<Value>,
    replacing old: Flight<Loaded<Value>>? = nil
  ) {
    guard !isFull, table.mayLoadBehind(ask.key, ask.hash, terms) else { return }
    if load == nil {
      guard let permit = table.core.enterBackground() else { return isFull = true }
      let made = BatchLoad(table, absences, request, terms, mode: mode, permit: permit)
      _ = made.work.reserve()
      load = made
    }
    load?.boardBehind(ask, refresh, replacing: old)
  }

  /// Starts the batch, if there is one.
  func start() {
    guard let load else { return }
    load.start()
    load.work.release { _ in true }
    self.load = nil
  }
}
