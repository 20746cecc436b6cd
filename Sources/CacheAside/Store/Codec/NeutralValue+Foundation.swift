#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Coders treat these in ways of their own, or they refuse what is empty.

extension Data: NeutralValue { static var neutral: Data { Data() } }
extension Date: NeutralValue { static var neutral: Date { Date(timeIntervalSince1970: 0) } }
extension Decimal: NeutralValue { static var neutral: Decimal { Decimal(0) } }
extension URL: NeutralValue { static var neutral: URL { URL(filePath: "/") } }
extension UUID: NeutralValue {
  static var neutral: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
extension TimeZone: NeutralValue { static var neutral: TimeZone { .gmt } }
extension Locale: NeutralValue { static var neutral: Locale { Locale(identifier: "") } }
extension Calendar: NeutralValue {
  static var neutral: Calendar { Calendar(identifier: .gregorian) }
}
