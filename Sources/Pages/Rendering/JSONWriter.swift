import AuthFlow

/// Writes JSON as UTF-8 bytes, members in the order they are written (RFC 8259).
struct JSONWriter {
  private(set) var still: Still
  private var needsComma = false

  init(capacity: Int) { still = Still(.json, capacity: capacity) }

  mutating func object(_ write: (inout JSONWriter) -> Void) { enclose("{", "}", write) }

  mutating func array<Elements: Sequence>(
    _ elements: Elements,
    _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    enclose("[", "]") { writer in
      for element in elements { write(&writer, element) }
    }
  }

  mutating func name(_ name: StaticString) {
    separate()
    still.append(UInt8(ascii: "\""))
    still.append(name)
    still.append(UInt8(ascii: "\""))
    still.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func name(_ name: String) {
    string(name)
    still.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ text: String) {
    separate()
    still.append(UInt8(ascii: "\""))
    still.append(escaping: text)
    still.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// A string that may be another for each visitor.
  mutating func value(_ value: Value) {
    separate()
    still.append(UInt8(ascii: "\""))
    still.append(value)
    still.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func value(orNull value: Value?) {
    if let value { self.value(value) } else { literal("null") }
  }

  mutating func string(orNull text: String?) {
    if let text { string(text) } else { literal("null") }
  }

  mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  mutating func value(_ value: JSONValue) {
    switch value {
    case .null: literal("null")
    case .bool(let value): bool(value)
    case .number(let value): literal(String(value))
    case .decimal(let value): literal(value.isFinite ? String(value) : "null")
    case .string(let text): string(text)
    case .array(let elements): array(elements) { $0.value($1) }
    case .object(let members):
      object { writer in
        for member in members {
          writer.name(member.name)
          writer.value(member.value)
        }
      }
    }
  }

  private mutating func literal(_ text: String) {
    separate()
    still.append(escaping: text)
    needsComma = true
  }

  private mutating func enclose(
    _ start: Unicode.Scalar,
    _ end: Unicode.Scalar,
    _ write: (inout JSONWriter) -> Void
  ) {
    separate()
    still.append(UInt8(ascii: start))
    needsComma = false
    write(&self)
    still.append(UInt8(ascii: end))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { still.append(UInt8(ascii: ",")) }
  }
}
