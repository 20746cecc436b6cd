extension CacheFeature {
  /// Says what is known about a key, whatever the type of its value.
  ///
  /// Loads nothing, counts nothing and changes no tier.
  ///
  /// - Parameter key: the key; under a bound scope, that of the scope.
  /// - Returns: one snapshot for each table of the feature that may hold the key. A table by arguments
  ///   is among them while the key is in its memory; ask its function otherwise.
  /// - Complexity: O(n) in the entries of tables by arguments.
  public nonisolated(nonsending) func explain(_ key: CacheKey) async -> [CacheExplanation] {
    let key = core.scopedStoreKey(key)
    var explanations: [CacheExplanation] = []
    for table in core.tables {
      if let explanation = await table.explanation(of: key) { explanations.append(explanation) }
    }
    return explanations
  }
}
