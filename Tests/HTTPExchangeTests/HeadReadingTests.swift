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
    [.host: "a", .cookie: "cc=1; x=c=2; c"],
    [.host: "a", .cookie: "cc=1;c=;c=2"],
    [
      .host: "a", .origin: "http://a", .secFetchSite: "same-origin",
      .contentType: "application/x-www-form-urlencoded",
    ],
  ]

  @Test(
    "a head that was read in advance says the same as one that was not",
    arguments: heads.indices
  )
  func says(place: Int) {
    let fields = Self.heads[place]
    let read = Self.read(fields)
    let unread = Request(method: .get, target: "/", headerFields: fields)
    #expect(read.reading != nil && unread.reading == nil)
    #expect(Self.sayings(of: read) == Self.sayings(of: unread))
    #expect(read == unread && Set([read, unread]).count == 1)
  }

  @Test("a head that was read in advance has the expected values")
  func words() {
    let request = Self.read([
      .host: "team-a.localhost:8080", .accept: "application/json", .cookie: "a=b; c=d=e; f; c=g",
      .contentType: "Application/JSON; charset=utf-8", .origin: "http://b",
      .secFetchSite: "same-site",
      .secFetchDestination: "image",
    ])
    #expect(request.onlyHost == "team-a.localhost:8080" && request.prefersJSON)
    #expect(request.mediaType == "application/json" && !request.isForm)
    #expect(
      request.cookie("a") == "b" && request.cookie("c") == "g" && request.cookie("f") == nil
    )
    #expect(request.namedWorld?.text == "team-a")
    #expect(!OwnOrigins("http://a").admit(request) && request.isPartOfForeignPage)
    #expect(request.fetchSites == ["same-site"])
  }

  @Test("a cookie is found by its whole name, its last value first, however the head was read")
  func cookieNames() {
    for (header, value) in [
      ("cc=1; x=c=2; c", nil), ("cc=1;c=2", "2"), ("c=; c=2", "2"), ("c=2; c=", ""),
      ("c=1; c=2; cc=3", "2"), ("x=c", nil), ("", nil),
    ] as [(String, String?)] {
      let fields: HTTPFields = [.host: "a", .cookie: header]
      let unread = Request(method: .get, target: "/", headerFields: fields)
      for request in [Self.read(fields), unread] {
        let found = request.cookie("c").map { String($0) }
        #expect(found == value, "\(header)")
      }
    }
  }

  @Test("of several Cookie fields the last one with the name counts; all values are in their order")
  func cookieValues() {
    var fields: HTTPFields = [.host: "a"]
    fields[values: .cookie] = ["c=1; b=2", "b=3; c=4; c=5", "b=6"]
    let unread = Request(method: .get, target: "/", headerFields: fields)
    for request in [Self.read(fields), unread] {
      #expect(request.cookie("c") == "5" && request.cookie("b") == "6")
      let (c, d) = (CookieName("c", isSecure: false), CookieName("d", isSecure: false))
      #expect(request.cookieValues(c) == ["1", "4", "5"] && request.cookieValues(d) == [])
    }
  }

  private static func read(_ fields: HTTPFields) -> Request {
    Request(method: .get, target: "/", reading: HeadReading(fields), peerAddress: nil)
  }

  @Test("the reading is dropped if a field is changed", arguments: heads.indices)
  func forgets(place: Int) {
    let other = Self.heads[(place + 1) % Self.heads.count]
    var request = Self.read(Self.heads[place])
    request.headerFields = other
    #expect(
      Self.sayings(of: request)
        == Self.sayings(of: Request(method: .get, target: "/", headerFields: other))
    )
    request.headerFields[.accept] = "application/json"
    #expect(request.prefersJSON)
  }

  /// Everything that a reading holds, as text.
  private static func sayings(of request: Request) -> [String] {
    [
      "\(request.mediaType)", "\(request.isForm)", "\(request.prefersJSON)",
      "\(request.onlyHost ?? "none")", "\(request.namedWorld?.text ?? "none")",
      "\(OwnOrigins("http://a").admit(request))", "\(request.fetchSites)",
      "\(request.isPartOfForeignPage)", "\(request.cookies.map { "\($0)=\($1)" })",
      "\(request.cookie("c") ?? "none")",
    ]
  }
}
