extension CacheStatistics {
  /// The type of ``openMetrics(feature:)`` for the header `Content-Type`.
  public static let openMetricsContentType =
    "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// The statistics as OpenMetrics 1.0 text, as a whole exposition of one feature.
  ///
  /// - Parameter feature: the value of the label `feature`.
  /// - Returns: the text, with `# EOF` at its end.
  public func openMetrics(feature: String) -> String {
    var text = OpenMetricsText([.init(name: feature, statistics: self)])
    return text.make()
  }
}
