internal import Emulators

/// The schema of a value, as in OpenAPI 3.1.
struct Schema: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  var json: JSON

  init(json: JSON) { self.json = json }

  init(dictionaryLiteral elements: (String, JSON)...) {
    json = .object(elements.map { .init($0, $1) })
  }

  static let anything: Schema = [:]
  static let text: Schema = ["type": "string"]
  static let flag: Schema = ["type": "boolean"]
  static let number: Schema = ["type": "number"]
  static let integer: Schema = ["type": "integer"]
  static let count: Schema = ["type": "integer", "minimum": 0]
  static let texts = list(of: .text)
  static let worldName = text(matching: "^[a-z0-9-]{1,40}$")
  static let faultGroup = text(matching: "^[a-z0-9-]{1,40}$")
  static let storyName = text(matching: "^[a-z0-9-]{1,32}$")
  /// A time such as `2026-11-21T14:35:00Z`, with milliseconds if there are any.
  static let time: Schema = [
    "type": "string", "format": "date-time",
    "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$",
  ]

  /// A time as calls accept it: with any offset from UTC, with or without its colon.
  static let timeAsSent = text(
    matching: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:?\\d\\d)$"
  )

  static func number(_ range: ClosedRange<Int>) -> Schema {
    [
      "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
      "maximum": .integer(Int64(range.upperBound)),
    ]
  }

  static func choice(_ values: [String]) -> Schema {
    ["type": "string", "enum": .array(values.map(JSON.string))]
  }

  static func choice<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> Schema
  {
    choice(type.allCases.map(\.rawValue))
  }

  static func constant(_ value: JSON) -> Schema { ["const": value] }

  static func text(matching pattern: String) -> Schema {
    ["type": "string", "pattern": .string(pattern)]
  }

  static func list(of element: Schema) -> Schema { ["type": "array", "items": element.json] }

  static func oneOf(_ schemas: [Schema]) -> Schema {
    schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas.map(\.json))]
  }

  /// A reference to a schema of the document itself.
  static func named(_ name: String) -> Schema {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static func the(_ name: NamedSchema) -> Schema { named(name.rawValue) }

  /// An object with these members.
  ///
  /// - Parameters:
  ///   - members: The required members.
  ///   - optional: The optional members.
  ///   - isOpen: Whether further members are allowed.
  /// - Returns: The schema.
  static func object(
    _ members: KeyValuePairs<String, Schema>,
    optional: KeyValuePairs<String, Schema> = [:],
    isOpen: Bool = false
  ) -> Schema {
    object(members.map { ($0, $1) }, optional: optional.map { ($0, $1) }, isOpen: isOpen)
  }

  static func object(
    _ members: [(name: String, schema: Schema)],
    optional: [(name: String, schema: Schema)],
    isOpen: Bool = false
  ) -> Schema {
    var schema: Schema = [
      "type": "object",
      "properties": .object((members + optional).map { .init($0.name, $0.schema.json) }),
      "additionalProperties": .bool(isOpen),
    ]
    if !members.isEmpty { schema.json["required"] = .array(members.map { .string($0.name) }) }
    return schema
  }

  static func map(of value: Schema) -> Schema {
    ["type": "object", "additionalProperties": value.json]
  }

  /// The same, or null.
  var orNull: Schema { ["anyOf": [json, ["type": "null"]]] }

  func saying(_ words: String) -> Schema {
    var schema = self
    schema.json["description"] = .string(words)
    return schema
  }
}

extension Schema {
  /// A value of an emulator's document in responses.
  init(told shape: ValueShape) { self.init(shape, isTold: true) }

  /// A value of an emulator's document in requests.
  init(taken shape: ValueShape) { self.init(shape, isTold: false) }

  private init(_ shape: ValueShape, isTold: Bool) {
    switch shape {
    case .flag: self = .flag
    case .number(let range): self = .number(range)
    case .text: self = .text
    case .texts: self = .texts
    case .choice(let values): self = .choice(values)
    case .choices(let values): self = .list(of: .choice(values))
    case .list(let element): self = .list(of: Schema(element, isTold: isTold))
    case .json: self = .anything
    case .optional(let shape): self = Schema(shape, isTold: isTold).orNull
    case .object(let members):
      let shown = isTold ? members.filter { $0.telling != .never } : members
      func isPresent(_ member: ValueShape.Member) -> Bool {
        isTold ? member.telling == .always : member.isRequired
      }
      func schemas(_ members: [ValueShape.Member]) -> [(name: String, schema: Schema)] {
        members.map { ($0.name, Schema($0.shape, isTold: isTold)) }
      }
      self = .object(
        schemas(shown.filter(isPresent)),
        optional: schemas(shown.filter { !isPresent($0) })
      )
    }
  }
}
