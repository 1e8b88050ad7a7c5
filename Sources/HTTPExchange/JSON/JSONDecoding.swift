extension JSONDocument {
  /// Decodes the value at that place.
  ///
  /// - Throws: `Mismatch` if it has another shape, and what the type's own `init(from:)` throws.
  func value<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
    try Value(from: Decoding(document: self, place: place))
  }

  fileprivate func scalar<Scalar: JSONScalar>(
    _ type: Scalar.Type,
    at place: Int
  ) throws -> Scalar {
    guard let scalar = Scalar(in: self, at: place) else { throw Mismatch() }
    return scalar
  }

  fileprivate func isNull(_ place: Int) -> Bool { nodes[place].kind == .null }

  fileprivate func keyed<Key: CodingKey>(
    _ type: Key.Type,
    at place: Int
  ) throws -> KeyedDecodingContainer<Key> {
    guard nodes[place].kind == .object else { throw Mismatch() }
    return KeyedDecodingContainer(Members<Key>(document: self, place: place))
  }

  fileprivate func unkeyed(at place: Int) throws -> any UnkeyedDecodingContainer {
    guard let elements = elements(of: place) else { throw Mismatch() }
    return Elements(document: self, places: elements)
  }
}

/// Decodes the value at one place; keeps no coding path, since no error reports one.
private struct Decoding: Decoder {
  let document: JSONDocument
  let place: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try document.keyed(type, at: place)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try document.unkeyed(at: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension Decoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { document.isNull(place) }

  func decode<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar {
    try document.scalar(type, at: place)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try document.value(type, at: place)
  }
}

// MARK: - Objects

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let document: JSONDocument
  private let place: Int
  private let index: [[UInt8]: Int]?

  init(document: JSONDocument, place: Int) {
    self.document = document
    self.place = place
    index = document.index(of: place)
  }

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { document.names(of: place).compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

  private func find(_ name: String) -> Int? {
    if let index { index[Array(name.utf8)] } else { document.member(name, of: place) }
  }

  private func member(_ name: String) throws -> Int {
    guard let member = find(name) else { throw JSONDocument.Mismatch() }
    return member
  }

  private func member(_ key: Key) throws -> Int { try member(key.stringValue) }

  /// Nil if there is no such member or it is null.
  private func memberIfPresent(_ key: Key) -> Int? {
    find(key.stringValue).flatMap { document.isNull($0) ? nil : $0 }
  }

  func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try member(key)) }

  func decode<Scalar: JSONScalar>(_ type: Scalar.Type, forKey key: Key) throws -> Scalar {
    try document.scalar(type, at: try member(key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try document.value(type, at: try member(key))
  }

  func decodeIfPresent<Scalar: JSONScalar>(
    _ type: Scalar.Type,
    forKey key: Key
  ) throws -> Scalar? {
    try memberIfPresent(key).map { try document.scalar(type, at: $0) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try memberIfPresent(key).map { try document.value(type, at: $0) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try document.keyed(type, at: try member(key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try document.unkeyed(at: try member(key))
  }

  func superDecoder() throws -> any Decoder {
    Decoding(document: document, place: try member("super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    Decoding(document: document, place: try member(key))
  }
}

// MARK: - Arrays

private struct Elements: UnkeyedDecodingContainer {
  let document: JSONDocument
  /// The places of the next element and of those after it.
  private var places: Range<Int>
  private(set) var currentIndex = 0

  init(document: JSONDocument, places: Range<Int>) {
    self.document = document
    self.places = places
  }

  var codingPath: [any CodingKey] { [] }
  /// Unknown before the end: elements are found one by one.
  var count: Int? { isAtEnd ? currentIndex : nil }
  var isAtEnd: Bool { places.isEmpty }

  /// Reads the next element; if that fails, it stays the next one.
  private mutating func next<Value>(_ read: (_ place: Int) throws -> Value) throws -> Value {
    guard let place = places.first else { throw JSONDocument.Mismatch() }
    let value = try read(place)
    places = document.nodes[place].next..<places.upperBound
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard let place = places.first else { throw JSONDocument.Mismatch() }
    guard document.isNull(place) else { return false }
    return try next { _ in true }
  }

  mutating func decode<Scalar: JSONScalar>(_ type: Scalar.Type) throws -> Scalar {
    let document = document
    return try next { try document.scalar(type, at: $0) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let document = document
    return try next { try document.value(type, at: $0) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let document = document
    return try next { try document.keyed(type, at: $0) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let document = document
    return try next { try document.unkeyed(at: $0) }
  }

  mutating func superDecoder() throws -> any Decoder {
    let document = document
    return try next { Decoding(document: document, place: $0) }
  }
}
