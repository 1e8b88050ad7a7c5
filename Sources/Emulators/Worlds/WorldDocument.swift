internal import Foundation
public import HTTPExchange

/// An exported world: all that is in it but its rows, and where in the text those stand.
///
/// The document holds everything that people put into a world: accounts with their password hashes,
/// clients, sessions, attempts, messages, settings and the clock. It is as secret as the database.
public struct WorldDocument: Sendable {
  static let version: Int64 = 1

  let content: Request.Content
  let schema: [String]
  let settings: InstanceSettings
  let clock: WorldClock.Mode
  /// Where the rows of each table stand in the text.
  let tables: [String: Range<Int>]
  /// What is not in the database is told by those who know its form.
  public let faults: JSON
  public let traces: JSON
  /// Null where it tells none.
  public let story: JSON

  /// Reads an exported world.
  ///
  /// - Throws: `DocumentError` where it is none, or one of another version; `SpooledBody.Failure`.
  public init(_ content: Request.Content) throws {
    self.content = content
    do {
      let members = try Self.members(of: content)
      func value(_ name: String) throws(JSONReader.Malformed) -> JSON? {
        guard let range = members[name] else { return nil }
        return try JSONReader.value(of: content, in: range)
      }
      guard try value("vestibule_world")?.integer == Self.version, let tables = members["tables"],
        let schema = try value("schema")?.array?.map(\.string),
        let instance = try value("instance"),
        let clock = try value("clock").flatMap(WorldClock.Mode.init)
      else { throw DocumentError("this is not an exported world") }
      self.schema = schema.compactMap(\.self)
      self.tables = try Self.members(of: content, in: tables)
      self.clock = clock
      settings = try InstanceSettings().merging(instance)
      faults = try value("faults") ?? []
      traces = try value("traces") ?? []
      story = try value("story") ?? .null
    } catch let malformed as JSONReader.Malformed {
      throw malformed.unreadable ?? DocumentError(malformed)
    }
  }

  /// Where the values of an object's members stand.
  private static func members(
    of content: Request.Content,
    in range: Range<Int>? = nil
  ) throws(JSONReader.Malformed) -> [String: Range<Int>] {
    var reader = JSONReader(content, in: range)
    var members: [String: Range<Int>] = [:]
    try reader.enterObject()
    while let name = try reader.nextName() { members[name] = try reader.skip() }
    try reader.finish()
    return members
  }
}

extension DocumentError {
  /// That a world's document breaks off being one.
  init(_ malformed: JSONReader.Malformed) {
    self.init("this is not an exported world: byte \(malformed.offset + 1) is not the JSON of one")
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
