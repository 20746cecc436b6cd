/// A type that the schema probe takes as a whole and that has a value with nothing in it.
protocol NeutralValue {
  /// Zero, empty or false.
  static var neutral: Self { get }
}

extension NeutralValue where Self: AdditiveArithmetic {
  static var neutral: Self { zero }
}

extension Bool: NeutralValue { static var neutral: Bool { false } }
extension String: NeutralValue { static var neutral: String { "" } }
extension Double: NeutralValue {}
extension Float: NeutralValue {}
extension Int: NeutralValue {}
extension Int8: NeutralValue {}
extension Int16: NeutralValue {}
extension Int32: NeutralValue {}
extension Int64: NeutralValue {}
extension Int128: NeutralValue {}
extension UInt: NeutralValue {}
extension UInt8: NeutralValue {}
extension UInt16: NeutralValue {}
extension UInt32: NeutralValue {}
extension UInt64: NeutralValue {}
extension UInt128: NeutralValue {}
extension Duration: NeutralValue {}
