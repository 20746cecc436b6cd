/// A type that every coder writes as it is, in one piece and without loss.
protocol PlainValue {}

extension Bool: PlainValue {}
extension String: PlainValue {}
extension Double: PlainValue {}
extension Float: PlainValue {}
extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension Int128: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension UInt128: PlainValue {}
