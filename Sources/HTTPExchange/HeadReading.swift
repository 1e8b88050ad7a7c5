public import HTTPTypes

/// What is asked of a request's header fields again and again while it is answered, read once.
///
/// A connection that brings the same lines again has it of the request before.
public final class HeadReading: Sendable {
  /// Those that were read.
  let fields: HTTPFields
  let onlyHost: String?
  let world: Result<WorldName, WorldName.Invalid>
  let origins: [String]
  let fetchSites: [String]
  let isPartOfForeignPage: Bool
  let mediaType: String
  let prefersJSON: Bool
  let cookies: [(name: Substring, value: Substring)]

  public init(_ fields: HTTPFields) {
    self.fields = fields
    onlyHost = fields.onlyHost
    world = Result { () throws(WorldName.Invalid) in try WorldName(namedBy: fields) }
    origins = fields.values(of: .origin)
    fetchSites = fields.values(of: .secFetchSite)
    isPartOfForeignPage = fields.isPartOfForeignPage
    mediaType = fields.mediaType
    prefersJSON = fields.prefersJSON
    cookies = fields.cookies
  }
}

/// A reading, where there is one.
///
/// It says nothing that the fields do not: a request is no other for it.
struct KeptReading: Hashable, Sendable {
  var reading: HeadReading?

  static func == (one: KeptReading, other: KeptReading) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
