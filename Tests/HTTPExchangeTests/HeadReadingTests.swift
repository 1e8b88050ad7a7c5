import HTTPTypes
import Testing

@testable import HTTPExchange

@Suite struct HeadReadingTests {
  private static let heads: [HTTPFields] = [
    [:],
    [.host: "localhost", .accept: "application/json", .cookie: "a=b; c=d=e; f"],
    [.host: "team-a.localhost:8080", .accept: "text/html, application/json;q=0.5"],
    [
      .vestibuleWorld: "no name", .host: "localhost",
      .contentType: "Application/JSON; charset=utf-8",
    ],
    [.host: "a", .origin: "http://b", .secFetchSite: "cross-site", .secFetchDestination: "image"],
    [
      .host: "a", .origin: "http://a", .secFetchSite: "same-origin",
      .contentType: "application/x-www-form-urlencoded",
    ],
  ]

  @Test("what was read in a head is what it says", arguments: heads.indices)
  func says(place: Int) {
    let fields = Self.heads[place]
    let read = Request(
      method: .get,
      target: "/",
      headerFields: fields,
      reading: HeadReading(fields)
    )
    #expect(read.reading != nil)
    #expect(
      Self.sayings(of: read)
        == Self.sayings(of: Request(method: .get, target: "/", headerFields: fields))
    )
  }

  @Test("it is forgotten where a field is changed", arguments: heads.indices)
  func forgets(place: Int) {
    let other = Self.heads[(place + 1) % Self.heads.count]
    var request = Request(
      method: .get,
      target: "/",
      headerFields: Self.heads[place],
      reading: HeadReading(Self.heads[place])
    )
    request.headerFields = other
    #expect(
      Self.sayings(of: request)
        == Self.sayings(of: Request(method: .get, target: "/", headerFields: other))
    )
    request.headerFields[.accept] = "application/json"
    #expect(request.prefersJSON)
  }

  /// All that a reading holds, in words.
  private static func sayings(of request: Request) -> [String] {
    [
      "\(request.mediaType)", "\(request.isForm)", "\(request.prefersJSON)",
      "\(request.onlyHost ?? "none")", "\((try? WorldName(namedBy: request))?.text ?? "none")",
      "\(OwnOrigins("http://a").admit(request))", "\(request.fetchSites)",
      "\(request.isPartOfForeignPage)", "\(request.cookies.map { "\($0)=\($1)" })",
      "\(request.cookie("c") ?? "none")",
    ]
  }
}
