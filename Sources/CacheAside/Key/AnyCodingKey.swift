/// A name that no type declares: of a superclass, or an index.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { stringValue = String(intValue) }
}
