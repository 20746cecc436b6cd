extension CachePolicy {
  /// What a call, a feature or the defaults say: their own parameters, then their `policy:`.
  ///
  /// Nothing is allocated where only one of the two says anything.
  @usableFromInline
  init(
    over policy: CachePolicy?,
    expiry: Expiry? = nil,
    staleWhileRevalidate: Window? = nil,
    staleIfError: Window? = nil,
    tags: [Tag] = []
  ) {
    self = policy ?? CachePolicy()
    if expiry == nil, staleWhileRevalidate == nil, staleIfError == nil, tags.isEmpty { return }
    var own = Fields()
    own.expiry = expiry
    own.staleWhileRevalidate = staleWhileRevalidate
    own.staleIfError = staleIfError
    own.tags = tags
    fields = own.inheriting(from: fields)
  }
}
