extension Caches {
  /// The statistics of all features as OpenMetrics 1.0 text, for an endpoint that Prometheus and
  /// others read.
  ///
  /// Serve it as ``CacheStatistics/openMetricsContentType``.
  ///
  /// - Returns: the text, with `# EOF` at its end.
  public func openMetrics() -> String {
    let cores = all.sorted { $0.name < $1.name }
    var text = OpenMetricsText(cores.map { .init(name: $0.name, statistics: $0.statistics) })
    return text.make()
  }
}
