internal import Foundation

/// An exported world: all that is in it but its rows, and where in the bytes those stand.
///
/// The document holds everything that people put into a world: accounts with their password hashes,
/// clients, sessions, attempts, messages, settings and the clock. It is as secret as the database.
public struct WorldDocument: Sendable {
  static let version: Int64 = 1

  let bytes: [UInt8]
  let schema: [String]
  let settings: InstanceSettings
  let clock: WorldClock.Mode
  /// Where the rows of each table stand in the bytes.
  let tables: [String: Range<Int>]
  /// What is not in the database is told by those who know its form.
  public let faults: JSON
  public let traces: JSON

  /// Reads an exported world.
  ///
  /// - Throws: `DocumentError` where it is none, or one of another version.
  public init(_ bytes: [UInt8]) throws(DocumentError) {
    self.bytes = bytes
    let members = try Self.members(of: bytes)
    func value(_ name: String) -> JSON? {
      // It was skipped as JSON before.
      members[name].flatMap { try? JSONReader.value(of: bytes, in: $0) }
    }
    guard value("vestibule_world")?.integer == Self.version, let tables = members["tables"],
      let schema = value("schema")?.array?.map(\.string), let instance = value("instance"),
      let clock = value("clock").flatMap(WorldClock.Mode.init)
    else { throw DocumentError("this is not an exported world") }
    self.schema = schema.compactMap(\.self)
    self.tables = try Self.members(of: bytes, in: tables)
    self.clock = clock
    settings = try InstanceSettings().merging(instance)
    faults = value("faults") ?? []
    traces = value("traces") ?? []
  }

  /// Where the values of an object's members stand.
  private static func members(
    of bytes: [UInt8],
    in range: Range<Int>? = nil
  ) throws(DocumentError) -> [String: Range<Int>] {
    var reader = JSONReader(bytes, in: range)
    var members: [String: Range<Int>] = [:]
    do throws(JSONReader.Malformed) {
      try reader.enterObject()
      while let name = try reader.nextName() { members[name] = try reader.skip() }
      try reader.finish()
    } catch {
      throw DocumentError("this is not an exported world")
    }
    return members
  }
}

extension WorldClock.Mode {
  /// Reads how a clock went; nil where it could not have gone so.
  fileprivate init?(_ json: JSON) {
    guard let isFrozen = json["frozen"]?.bool, let now = json["now"]?.integer,
      let offset = json["offset_seconds"]?.double
    else { return nil }
    let date = Date(timeIntervalSince1970: Double(now) / 1000)
    guard WorldClock.dates.contains(date), WorldClock.offsets.contains(offset) else { return nil }
    self = isFrozen ? .frozen(at: date) : .running(offset: offset)
  }
}
