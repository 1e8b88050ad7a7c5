/// Names and values of `application/x-www-form-urlencoded`, in order; a name may repeat.
///
/// Source: WHATWG URL, "application/x-www-form-urlencoded". Stricter than that page: a broken
/// percent escape or bytes that are not UTF-8 are refused rather than repaired, since a repaired
/// password is a different password (S18).
public struct FormData: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String
    /// Whether it came without an `=`, as in `?a`.
    ///
    /// No form sends that by itself, but a bare `&` within a value that was not encoded leaves it.
    public var isBare: Bool

    public init(name: String, value: String, isBare: Bool = false) {
      self.name = name
      self.value = value
      self.isBare = isBare
    }
  }

  public var fields: [Field]

  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0, value: $1) }
  }

  /// The first value of that name.
  public subscript(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Every value of that name, in order.
  public func values(of name: String) -> [String] { values(ofAny: [name]) }

  /// Every value with any of those names, in order.
  public func values(ofAny names: Set<String>) -> [String] {
    fields.filter { names.contains($0.name) }.map(\.value)
  }

  /// Whether a name has two values.
  public var hasRepeatedName: Bool {
    // Most forms have a handful of fields: comparing them is faster than hashing them.
    guard fields.count > 8 else {
      return fields.indices.contains { place in
        fields[..<place].contains { $0.name == fields[place].name }
      }
    }
    return Set(fields.map(\.name)).count < fields.count
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

// MARK: - Telling

extension FormData: CustomStringConvertible {
  /// Only the names: a value may be a password, and a failing test prints what it compared.
  public var description: String {
    "[\(fields.map { String(describing: $0) }.joined(separator: ", "))]"
  }
}

extension FormData.Field: CustomStringConvertible {
  public var description: String { "\(name): …" }
}

// MARK: - Decoding

extension FormData {
  /// Why a body is not a form.
  public enum DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A `%` is not followed by two hexadecimal digits.
    case brokenEscape
    /// A name or a value is not UTF-8.
    case notUTF8
    /// There are more fields than the limit.
    case tooManyFields

    public var description: String {
      switch self {
      case .brokenEscape: "a '%' is not followed by two hexadecimal digits"
      case .notUTF8: "a name or a value is not UTF-8"
      case .tooManyFields: "there are too many fields"
      }
    }
  }

  /// Decodes a query, or another text.
  ///
  /// - Throws: `DecodingError`, as for a body.
  @inlinable
  public init(decoding bytes: some Collection<UInt8>) throws(DecodingError) {
    try self.init(decoding: Array(bytes))
  }

  /// Decodes a body or a query.
  ///
  /// - Parameters:
  ///   - bytes: The body, or the query without its `?`.
  ///   - fieldLimit: The most fields that are accepted; S4 says 100.
  /// - Throws: `DecodingError` for the first fault found.
  public init(
    decoding bytes: [UInt8],
    fieldLimit: Int = 100
  ) throws(DecodingError) {
    var fields: [Field] = []
    fields.reserveCapacity(8)
    var rest = bytes[...]
    while let start = rest.firstIndex(where: { $0 != UInt8(ascii: "&") }) {
      let end = rest[start...].firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
      let pair = rest[start..<end]
      rest = rest[end...]
      guard fields.count < fieldLimit else { throw .tooManyFields }
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      fields.append(
        Field(
          name: try Self.decode(pair[..<equals]),
          value: try Self.decode(pair[equals...].dropFirst()),
          isBare: equals == pair.endIndex
        )
      )
    }
    self.fields = fields
  }

  private static func decode(
    _ escaped: ArraySlice<UInt8>
  ) throws(DecodingError) -> String {
    // The usual case: nothing to decode.
    guard escaped.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
      guard let text = String(utf8: escaped.span) else { throw .notUTF8 }
      return text
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(escaped.count)
    var rest = escaped.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(Hexadecimal.value(of:)),
          let low = rest.next().flatMap(Hexadecimal.value(of:))
        else { throw .brokenEscape }
        bytes.append(high << 4 | low)
      default:
        bytes.append(byte)
      }
    }
    guard let text = String(utf8: bytes) else { throw .notUTF8 }
    return text
  }
}

// MARK: - Encoding

extension FormData {
  /// The fields as a body; spaces become `+`, and all other characters but unreserved ones are escaped.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
    for field in fields {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      Self.encode(field.name, into: &bytes)
      bytes.append(UInt8(ascii: "="))
      Self.encode(field.value, into: &bytes)
    }
    return bytes
  }

  /// The same as a text.
  public var text: String { String(decoding: encoded, as: UTF8.self) }

  /// A path with the fields as its query; only the path if there are none.
  public func address(at path: String) -> String { fields.isEmpty ? path : "\(path)?\(text)" }

  private static func encode(_ text: String, into bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"):
        bytes.append(byte)
      case _ where byte.isASCIILetterOrDigit: bytes.append(byte)
      default: PercentEncoding.escape(byte, into: &bytes)
      }
    }
  }
}
