internal import Foundation
internal import HTTPExchange

/// The bytes that a visit is sealed as: a short form while nothing has happened in it, which is what
/// every first page carries, and JSON once something has.
enum VisitEncoding {
  private enum Form: UInt8 {
    case bare = 1
    case json = 2
  }

  private static let idLength = 16
  private static let bareLength = idLength + 8 + 8 + 4

  /// The bytes; nil where a value has no JSON.
  static func bytes(of visit: Visit) -> [UInt8]? {
    if let bare = bareBytes(of: visit) { return [Form.bare.rawValue] + bare }
    return (try? JSONEncoder().encode(visit)).map { [Form.json.rawValue] + $0 }
  }

  /// The visit; nil for bytes that are none.
  static func visit(from bytes: some RandomAccessCollection<UInt8>) -> Visit? {
    guard let form = bytes.first.flatMap(Form.init(rawValue:)) else { return nil }
    switch form {
    case .bare: return bareVisit(from: Array(bytes.dropFirst()))
    case .json: return try? JSONDecoder().decode(Visit.self, from: Data(bytes.dropFirst()))
    }
  }

  // MARK: Id, sealed, expires, revision, world

  private static func bareBytes(of visit: Visit) -> [UInt8]? {
    guard visit.isBare, let id = Base64URL.bytes(of: visit.id), id.count == idLength else {
      return nil
    }
    var bytes = id
    bytes.reserveCapacity(bareLength + visit.world.utf8.count)
    append(visit.sealedAt.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
    append(visit.expiresAt.timeIntervalSinceReferenceDate.bitPattern, to: &bytes)
    append(visit.revision, to: &bytes)
    bytes.append(contentsOf: visit.world.utf8)
    return bytes
  }

  private static func bareVisit(from bytes: [UInt8]) -> Visit? {
    guard bytes.count > bareLength,
      let world = String(validating: bytes[bareLength...], as: UTF8.self)
    else { return nil }
    var visit = Visit(
      id: Base64URL.text(of: bytes[..<idLength]),
      world: world,
      machineNow: date(bytes[idLength..<(idLength + 8)]),
      worldNow: .distantPast
    )
    visit.expiresAt = date(bytes[(idLength + 8)..<(idLength + 16)])
    visit.revision = number(bytes[(idLength + 16)..<bareLength])
    return visit
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
    bytes.reduce(0) { $0 << 8 | Number($1) }
  }

  private static func date(_ bytes: ArraySlice<UInt8>) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(bitPattern: number(bytes)))
  }
}

extension Visit {
  /// Whether nothing is known of it but who it is, where, and until when.
  fileprivate var isBare: Bool {
    var bare = Visit(id: id, world: world, machineNow: sealedAt, worldNow: expiresAt)
    bare.expiresAt = expiresAt
    bare.revision = revision
    return self == bare
  }
}
