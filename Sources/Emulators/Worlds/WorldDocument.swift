internal import Foundation
public import HTTPExchange

/// An exported world: everything except its rows, and where these are in the text.
///
/// The document holds everything that people put into a world: accounts with their password hashes,
/// clients, sessions, attempts, messages, settings and the clock. It is as secret as the database.
public struct WorldDocument: Sendable {
  static let version: Int64 = 1
  private static let names: Set = [
    "vestibule_world", "api", "instance", "clock", "faults", "traces", "story", "schema",
    "tables",
  ]

  /// The auth API of the world; nil if an older version did not record it.
  public let api: EmulatedAPI?
  let content: Request.Content
  let schema: [String]
  let settings: InstanceSettings
  let clock: WorldClock.Mode
  /// The range of each table's rows in the text.
  let tables: [String: Range<Int>]
  /// State outside the database, read by the code that knows its format.
  public let faults: JSON
  public let traces: JSON
  /// Null if there is none.
  public let story: JSON

  /// Reads an exported world.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown, missing or has a value it cannot have;
  ///   `SpooledBody.Failure`.
  public init(_ content: Request.Content) throws {
    self.content = content
    do {
      let members = try Self.members(of: content)
      func value(_ name: String) throws(JSONReader.Malformed) -> JSON? {
        guard let range = members[name] else { return nil }
        return try JSONReader.value(of: content, in: range)
      }
      func optional<Value>(
        _ name: String,
        by reading: (JSON) throws(DocumentError) -> Value
      ) throws -> Value? {
        guard let json = try value(name) else { return nil }
        do throws(DocumentError) {
          return try reading(json)
        } catch {
          throw error.inMember(name)
        }
      }
      func required<Value>(
        _ name: String,
        by reading: (JSON) throws(DocumentError) -> Value
      ) throws -> Value {
        guard let value = try optional(name, by: reading) else {
          throw DocumentError("'\(name)' is missing")
        }
        return value
      }
      guard try value("vestibule_world")?.integer == Self.version else {
        throw DocumentError(
          "this is not an exported world: 'vestibule_world' is not \(Self.version)"
        )
      }
      if let name = members.keys.filter({ !Self.names.contains($0) }).min() {
        throw DocumentError(
          "unknown key '\(name)': a typo, or from a newer version of this program"
        )
      }
      api = try optional("api", by: ValueFormat<EmulatedAPI>.choice.read)
      schema = try required("schema", by: ValueFormat<[String]>.texts.read)
      settings = try required("instance", by: InstanceSettings.init(stored:))
      clock = try required("clock", by: WorldClock.Mode.init(document:))
      tables = try Self.tables(of: content, in: members["tables"])
      faults = try value("faults") ?? []
      traces = try value("traces") ?? []
      story = try value("story") ?? .null
    } catch let malformed as JSONReader.Malformed {
      throw malformed.unreadable ?? DocumentError(malformed)
    }
  }

  private static func tables(
    of content: Request.Content,
    in range: Range<Int>?
  ) throws -> [String: Range<Int>] {
    guard let range else { throw DocumentError("'tables' is missing") }
    do throws(JSONReader.Malformed) {
      return try members(of: content, in: range)
    } catch {
      // The reader has skipped it before, so it is JSON.
      throw error.unreadable ?? DocumentError("not an object").inMember("tables")
    }
  }

  /// The ranges of the values of an object's members.
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
  /// The document stops being that of a world.
  init(_ malformed: JSONReader.Malformed) {
    self.init("this is not an exported world: byte \(malformed.offset + 1) is not the JSON of one")
  }
}

extension WorldClock.Mode {
  /// Reads the mode of a clock.
  ///
  /// - Throws: `DocumentError` naming the key that is missing or has an invalid value.
  fileprivate init(document json: JSON) throws(DocumentError) {
    guard case .object = json else { throw DocumentError("not an object") }
    func required<Value>(
      _ name: String,
      _ complaint: String,
      _ reading: (JSON) -> Value?
    ) throws(DocumentError) -> Value {
      guard let given = json[name] else { throw DocumentError("'\(name)' is missing") }
      guard let value = reading(given) else {
        throw DocumentError(complaint).inMember(name)
      }
      return value
    }
    let offsets = WorldClock.offsets
    let (lowest, highest) = (Int(offsets.lowerBound), Int(offsets.upperBound))
    let date = try required("now", "not milliseconds within the years 1970 to 3000") { json in
      json.integer.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        .flatMap { WorldClock.dates.contains($0) ? $0 : nil }
    }
    let offset = try required(
      "offset_seconds",
      "not a number within \(lowest) to \(highest)"
    ) { json in
      json.double.flatMap { offsets.contains($0) ? $0 : nil }
    }
    let isFrozen = try required("frozen", "neither true nor false") { $0.bool }
    self = isFrozen ? .frozen(at: date) : .running(offset: offset)
  }
}
