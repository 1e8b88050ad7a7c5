internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// The bytes that a visit is sealed as: a short form while no step has been taken in it, which is
/// what first pages and their refusals carry, and JSON once one has.
enum VisitEncoding {
  private enum Layout: UInt8 {
    case short = 1
    case json = 2
  }

  /// The bytes; nil where a value has no JSON.
  static func bytes(of visit: Visit) -> [UInt8]? {
    if let short = shortForm(of: visit) { return [Layout.short.rawValue] + short }
    return (try? JSONEncoder().encode(visit)).map { [Layout.json.rawValue] + $0 }
  }

  /// The visit; nil for bytes that are none.
  static func visit(from bytes: some RandomAccessCollection<UInt8>) -> Visit? {
    guard let form = bytes.first.flatMap(Layout.init(rawValue:)) else { return nil }
    switch form {
    case .short: return visit(fromShortForm: Array(bytes.dropFirst()))
    case .json: return try? JSONDecoder().decode(Visit.self, from: Data(bytes.dropFirst()))
    }
  }

  // MARK: The short form

  private static let idLength = 16

  /// Nil where the visit holds more than this form does.
  private static func shortForm(of visit: Visit) -> [UInt8]? {
    guard visit.isShort, let id = Base64URL.bytes(of: visit.id), id.count == idLength else {
      return nil
    }
    var writer = ByteWriter(capacity: 64)
    writer.append(id)
    writer.append(visit.sealedAt.timeIntervalSinceReferenceDate.bitPattern)
    writer.append(visit.expiresAt.timeIntervalSinceReferenceDate.bitPattern)
    writer.append(visit.revision)
    writer.append(visit.world)
    writer.append(visit.identifier)
    writer.append(visit.returnAddress)
    for (name, value) in visit.memory.entries {
      writer.append(name)
      writer.append(value)
    }
    return writer.bytes
  }

  private static func visit(fromShortForm bytes: [UInt8]) -> Visit? {
    var reader = ByteReader(bytes[...])
    guard let id = reader.bytes(idLength), let sealedAt = reader.date(),
      let expiresAt = reader.date(), let revision = reader.number(UInt32.self),
      let world = reader.text(), let identifier = reader.optionalText(),
      let returnAddress = reader.optionalText()
    else { return nil }
    var memory: [String: String] = [:]
    while !reader.isAtEnd {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      memory[name] = value
    }
    var visit = Visit(
      id: Base64URL.text(of: Array(id)),
      world: world,
      machineNow: sealedAt,
      worldNow: .distantPast
    )
    visit.expiresAt = expiresAt
    visit.revision = revision
    visit.identifier = identifier
    visit.returnAddress = returnAddress
    visit.memory = ProviderMemory(memory)
    return visit
  }
}

extension Visit {
  /// Whether nothing is known of it but who it is, where, and until when.
  var isBare: Bool {
    var bare = Visit(id: id, world: world, machineNow: sealedAt, worldNow: expiresAt)
    bare.expiresAt = expiresAt
    bare.revision = revision
    return self == bare
  }

  /// Whether no more is known of it than what was typed, where it leads, and what the auth API wants
  /// kept.
  fileprivate var isShort: Bool {
    var visit = self
    visit.identifier = nil
    visit.returnAddress = nil
    visit.memory = ProviderMemory()
    return visit.isBare
  }
}

// MARK: - Numbers and texts

/// Writes numbers big-endian, and texts behind their lengths.
private struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ raw: [UInt8]) { bytes += raw }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  mutating func append(_ text: String?) {
    append(UInt8(text == nil ? 0 : 1))
    if let text { append(text) }
  }
}

/// Reads what `ByteWriter` wrote; nil as soon as there is less than was announced.
private struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    bytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Nil for what is no time: not a number, or infinite.
  mutating func date() -> Date? {
    guard let seconds = number(UInt64.self).map(Double.init(bitPattern:)), seconds.isFinite else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  mutating func text() -> String? {
    number(UInt32.self).flatMap { bytes(Int($0)) }.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Nil inside where there is no text, outside where there is nothing to read.
  mutating func optionalText() -> String?? {
    switch number(UInt8.self) {
    case 0: .some(nil)
    case 1: text().map { .some($0) }
    default: nil
    }
  }
}
