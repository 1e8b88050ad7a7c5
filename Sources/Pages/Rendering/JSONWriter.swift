import AuthFlow

/// Writes JSON as UTF-8 bytes, members in the order they are written (RFC 8259).
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

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
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes += $0 }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 { append(byte) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
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
    bytes += text.utf8
    needsComma = true
  }

  private mutating func enclose(
    _ start: Unicode.Scalar,
    _ end: Unicode.Scalar,
    _ write: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: start))
    needsComma = false
    write(&self)
    bytes.append(UInt8(ascii: end))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
    case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
    case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
    case 0..<0x20:
      bytes += #"\u00"#.utf8
      bytes.append(UInt8(ascii: byte < 0x10 ? "0" : "1"))
      bytes += String(byte & 0xF, radix: 16).utf8
    default: bytes.append(byte)
    }
  }
}
