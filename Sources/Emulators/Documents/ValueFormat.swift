/// What values a member of a document takes; forms choose their fields by it.
public indirect enum ValueShape: Sendable, Hashable {
  case flag
  case number(ClosedRange<Int>)
  case text
  case texts
  case choice([String])
  case choices([String])
  /// An object of these members, and no others.
  case object([Member])
  /// A list of such values.
  case list(ValueShape)
  /// Any value.
  case json
  /// Such a value, or null.
  case optional(ValueShape)

  /// A member of an object, and the values that it takes.
  public struct Member: Sendable, Hashable {
    public var name: String
    public var shape: ValueShape
    /// Whether an object without it is refused.
    public var isRequired: Bool
    public var telling: Telling

    public init(
      _ name: String,
      _ shape: ValueShape,
      isRequired: Bool = false,
      telling: Telling = .always
    ) {
      self.name = name
      self.shape = shape
      self.isRequired = isRequired
      self.telling = telling
    }
  }

  /// Whether a written object includes the member.
  public enum Telling: Sendable, Hashable {
    case always, sometimes
    /// The member is read, but never written.
    case never
  }

  /// Whether an error in a list of such values names the index.
  var isNested: Bool {
    switch self {
    case .object, .list, .json: true
    case .flag, .number, .text, .texts, .choice, .choices, .optional: false
    }
  }
}

/// How values of a type are read from documents and written to them.
struct ValueFormat<Value>: Sendable {
  var shape: ValueShape
  var write: @Sendable (Value) -> JSON
  var read: @Sendable (JSON) throws(DocumentError) -> Value

  init(
    _ shape: ValueShape,
    write: @escaping @Sendable (Value) -> JSON,
    read: @escaping @Sendable (JSON) throws(DocumentError) -> Value
  ) {
    self.shape = shape
    self.write = write
    self.read = read
  }

  /// The same values, or null.
  static func orNull<Wrapped: Sendable>(_ format: ValueFormat<Wrapped>) -> Self
  where Value == Wrapped? {
    Self(.optional(format.shape)) { value in
      value.map(format.write) ?? .null
    } read: { json throws(DocumentError) in
      json == .null ? nil : try format.read(json)
    }
  }

  /// A list of such values.
  static func list<Element: Sendable>(
    _ format: ValueFormat<Element>,
    _ shape: ValueShape? = nil
  ) -> Self where Value == [Element] {
    Self(shape ?? .list(format.shape)) { values in
      .array(values.map(format.write))
    } read: { json throws(DocumentError) in
      guard case .array(let elements) = json else { throw DocumentError("not a list") }
      var values: [Element] = []
      for (index, element) in elements.enumerated() {
        do throws(DocumentError) {
          values.append(try format.read(element))
        } catch {
          throw format.shape.isNested ? error.inElement(index) : error
        }
      }
      return values
    }
  }

  /// A list of such values in which no two have the same name.
  ///
  /// - Parameters:
  ///   - format: The format of an element.
  ///   - key: The member that holds the name, for errors.
  ///   - name: The name of an element.
  /// - Returns: A format that refuses duplicate names.
  static func list<Element: Sendable>(
    _ format: ValueFormat<Element>,
    eachOnceBy key: String,
    _ name: @escaping @Sendable (Element) -> String
  ) -> Self where Value == [Element] {
    let all = list(format)
    return Self(all.shape, write: all.write) { json throws(DocumentError) in
      let values = try all.read(json)
      var taken: Set<String> = []
      for (index, value) in values.enumerated() where !taken.insert(name(value)).inserted {
        throw DocumentError.taken(name(value), by: key).inElement(index)
      }
      return values
    }
  }
}

extension ValueFormat<Bool> {
  static let flag = Self(.flag) {
    .bool($0)
  } read: { json throws(DocumentError) in
    guard case .bool(let flag) = json else { throw DocumentError("neither true nor false") }
    return flag
  }
}

extension ValueFormat<Int> {
  static func number(_ range: ClosedRange<Int>) -> Self {
    Self(.number(range)) {
      .integer(Int64($0))
    } read: { json throws(DocumentError) in
      guard case .integer(let number) = json else { throw DocumentError("not a whole number") }
      guard let value = Int(exactly: number), range.contains(value) else {
        throw DocumentError("not within \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
  }
}

extension ValueFormat<String> {
  static let text = text { text throws(DocumentError) in text }

  /// A text, which the closure checks and normalises.
  static func text(
    _ checked: @escaping @Sendable (String) throws(DocumentError) -> String
  ) -> Self {
    Self(.text) {
      .string($0)
    } read: { json throws(DocumentError) in
      guard case .string(let text) = json else { throw DocumentError("not a text") }
      return try checked(text)
    }
  }
}

extension ValueFormat<[String]> {
  static let texts = list(.text, .texts)
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
  /// One of the values of an enumeration, by name.
  static var choice: Self {
    let names = Value.allCases.map(\.rawValue)
    return Self(.choice(names)) {
      .string($0.rawValue)
    } read: { json throws(DocumentError) in
      guard case .string(let name) = json else {
        throw DocumentError("not one of \(names.joined(separator: ", "))")
      }
      guard let value = Value(rawValue: name) else {
        throw DocumentError("'\(name)' is not one of \(names.joined(separator: ", "))")
      }
      return value
    }
  }
}

extension ValueFormat {
  /// A list of values of an enumeration, by name.
  static func choices<Choice: RawRepresentable<String> & CaseIterable & Sendable>() -> Self
  where Value == [Choice] {
    list(.choice, .choices(Choice.allCases.map(\.rawValue)))
  }
}
