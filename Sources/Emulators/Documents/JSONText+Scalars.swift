internal import HTTPExchange

extension JSONText {
  /// Reads the next string, number or literal.
  mutating func scalar() throws(Malformed) -> JSON {
    switch try peek() {
    case UInt8(ascii: "\""): .string(try string())
    case UInt8(ascii: "t"): try word("true", .bool(true))
    case UInt8(ascii: "f"): try word("false", .bool(false))
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  private mutating func word(_ letters: StaticString, _ value: JSON) throws(Malformed) -> JSON {
    let begin = malformed
    for index in 0..<letters.utf8CodeUnitCount {
      guard try peek() == letters.utf8Start[index] else { throw begin }
      skip()
    }
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(Malformed) -> JSON {
    var read: [UInt8] = []
    if let sign = try take("-") { read.append(sign) }
    let firstDigit = read.count
    try takeDigits(into: &read)
    guard read.count == firstDigit + 1 || read[firstDigit] != UInt8(ascii: "0") else {
      throw malformed
    }
    var isWhole = true
    if let point = try take(".") {
      isWhole = false
      read.append(point)
      try takeDigits(into: &read)
    }
    if let letter = try take("eE") {
      isWhole = false
      read.append(letter)
      if let sign = try take("+-") { read.append(sign) }
      try takeDigits(into: &read)
    }
    let text = String(decoding: read, as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw malformed }
    return .number(number)
  }

  /// Reads one or more digits.
  private mutating func takeDigits(into read: inout [UInt8]) throws(Malformed) {
    let begin = read.count
    while let digit = try peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
      read.append(digit)
      skip()
    }
    guard read.count > begin else { throw malformed }
  }

  // MARK: Strings

  /// Reads a string; the next byte is its opening quotation mark.
  mutating func string() throws(Malformed) -> String {
    skip()
    var read = Array(takePlain())
    while true {
      switch try next() {
      case UInt8(ascii: "\""):
        guard let text = String(utf8: read) else { throw malformed }
        return text
      case UInt8(ascii: "\\"): read += try escape()
      case ..<0x20: throw malformed
      // A plain byte: the first one of a new window.
      case let byte: read.append(byte)
      }
      read += takePlain()
    }
  }

  /// Reads an escape after its backslash, as UTF-8.
  private mutating func escape() throws(Malformed) -> [UInt8] {
    let letter = try next()
    if let byte = JSONEscapes.byte(letter) { return [byte] }
    guard letter == UInt8(ascii: "u") else { throw malformed }
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]) {
      guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else {
        throw malformed
      }
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw malformed }
    return Array(text.utf8)
  }

  private mutating func codeUnit() throws(Malformed) -> UInt16 {
    let digits = [try next(), try next(), try next(), try next()]
    guard let unit = JSONEscapes.codeUnit(digits) else { throw malformed }
    return unit
  }
}
