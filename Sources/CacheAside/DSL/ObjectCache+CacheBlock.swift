extension Cache where Key == String {
  /// Returns the object of a key, or makes it by a callback producer, once for all callers.
  ///
  /// For a hit the completion is called at once on this thread. Otherwise the block runs on this
  /// thread, unless another call is making the object; the completion is called within this call
  /// when the block answers synchronously, else on the thread that answers. It is called exactly
  /// once. Further answers of the block are ignored and reported as events; when both handlers are
  /// released without a call, the error is `CacheError` with the code `abandoned`.
  ///
  /// ```swift
  /// cache.setObject(forKey: "me", cacheBlock: { success, failure in
  ///   api.profile { result in
  ///     switch result {
  ///     case .success(let profile): success(profile, .seconds(300))
  ///     case .failure(let error): failure(error)
  ///     }
  ///   }
  /// }, completion: { object, isLoadedFromCache, error in … })
  /// ```
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - cacheBlock: calls `success` with object and lifetime, or `failure`; it does not escape this
  ///     call, its handlers may.
  ///   - completion: gets the object, whether no block ran for it, and the error.
  public func setObject(
    forKey key: String,
    cacheBlock: CacheBlock<Value>,
    completion: @escaping @Sendable (Value?, Bool, (any Error)?) -> Void
  ) {
    load(key, block: cacheBlock) { result in
      switch result {
      case .success(let outcome): completion(outcome.value, outcome.isLoadedFromCache, nil)
      case .failure(let error): completion(nil, false, error)
      }
    }
  }

  /// The same, with a completion on the main actor: at once for what is ready, else later.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - cacheBlock: calls `success` with object and lifetime, or `failure`.
  ///   - completionOnMain: gets the object, whether no block ran for it, and the error.
  @MainActor
  public func setObject(
    forKey key: String,
    cacheBlock: CacheBlock<Value>,
    completionOnMain: @escaping @MainActor (Value?, Bool, (any Error)?) -> Void
  ) {
    let call = MainCall()
    load(key, block: cacheBlock) { [core] result in
      let deliver: @MainActor @Sendable () -> Void = {
        switch result {
        case .success(let outcome): completionOnMain(outcome.value, outcome.isLoadedFromCache, nil)
        case .failure(let error): completionOnMain(nil, false, error)
        }
      }
      // Within the call the thread is the main actor's, unless another thread answered meanwhile.
      if call.isCurrent {
        MainActor.assumeIsolated(deliver)
      } else {
        core.time.startTask { await deliver() }
      }
    }
    call.end()
  }
}
