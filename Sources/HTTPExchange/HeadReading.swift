public import HTTPTypes

/// What is needed of a request's header fields repeatedly while it is answered, read once.
///
/// A connection that sends the same lines again reuses the reading of its previous request.
public final class HeadReading: Sendable {
  /// The fields that were read.
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

/// A reading, if there is one.
///
/// All are equal: a reading says nothing that the fields do not, so it does not make requests differ.
struct KeptReading: Hashable, Sendable {
  var reading: HeadReading?

  static func == (one: KeptReading, other: KeptReading) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
