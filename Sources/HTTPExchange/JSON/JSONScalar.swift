/// A type that is decoded from one value that is neither an array nor an object.
protocol JSONScalar: Decodable {
  /// Nil if the value is of another kind, or does not fit.
  init?(in document: JSONDocument, at place: Int)
}

extension String: JSONScalar {
  init?(in document: JSONDocument, at place: Int) {
    guard let text = document.text(at: place) else { return nil }
    self = text
  }
}

extension Bool: JSONScalar {
  init?(in document: JSONDocument, at place: Int) {
    switch document.nodes[place].kind {
    case .true: self = true
    case .false: self = false
    case .null, .number, .array, .object, .text, .escapedText: return nil
    }
  }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  /// A number outside the type's range does not fit.
  init?(in document: JSONDocument, at place: Int) {
    guard let number = document.number(at: place).flatMap(Self.init), number.isFinite else {
      return nil
    }
    self = number
  }
}

extension JSONScalar where Self: FixedWidthInteger {
  /// A whole number in any notation: `1.0` and `1e0` count too.
  init?(in document: JSONDocument, at place: Int) {
    guard let number = document.number(at: place) else { return nil }
    guard let whole = Self(number) ?? Double(number).flatMap(Self.init(exactly:)) else {
      return nil
    }
    self = whole
  }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
