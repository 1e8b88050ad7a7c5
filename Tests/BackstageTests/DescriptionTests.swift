import AuthFlow
import Emulators
import Foundation
import Headless
import HTTPExchange
import HTTPTypes
import Pages
import Testing

@testable import Backstage

@Suite("The description of backstage and of the pages")
struct DescriptionTests {
  private static let whole = JSON(decoding: APIDescription.whole) ?? .null
  private static let routes = Set(
    BackstageRouter.routes.map {
      "\($0.method.rawValue.lowercased()) /backstage/api/\($0.path.joined(separator: "/"))"
    }
  )

  /// Every operation, as `get /sign-in`.
  private static func operations(of document: JSON) -> [String] {
    (document["paths"]?.members ?? []).flatMap { path in
      (path.value.members ?? []).map { "\($0.name) \(path.name)" }
    }
  }

  @Test("has every route and every address of the pages, each once, and no other")
  func complete() {
    let found = Self.operations(of: Self.whole)
    let pages = Address.pages.map { "get \($0.path)" }
    // Every address takes a form, except those of pages that are only looked at.
    let forms = Address.allCases.filter { $0.hasForm || $0.page != $0 }.map { "post \($0.path)" }
    #expect(Set(found) == Self.routes.union(pages).union(forms))
    #expect(found.count == Set(found).count)
  }

  @Test("names every operation by an id of its own, and says in a sentence what it does")
  func names() {
    let operations = (Self.whole["paths"]?.members ?? []).flatMap { $0.value.members ?? [] }
    let ids = operations.compactMap { $0.value["operationId"]?.string }
    #expect(ids.count == operations.count)
    #expect(Set(ids).count == ids.count)
    for operation in operations {
      #expect(operation.value["summary"]?.string?.hasSuffix(".") == true, "\(operation.name)")
    }
  }

  @Test("lists every code of our own, and codes of both APIs")
  func codes() throws {
    let code = Self.whole["components"]?["schemas"]?["ErrorCode"]?["anyOf"]?[0]?["enum"]?.array
    let known = Set(try #require(code).compactMap(\.string))
    #expect(known.isSuperset(of: OwnCode.allCases.map(\.rawValue)))
    #expect(known.isSuperset(of: SiteRefusal.allCases.map(\.rawValue)))
    #expect(known.isSuperset(of: ["form_password_incorrect", "invalid_grant/invalid_oob_value"]))
  }

  @Test("has each key of a story's step, and so does the article on stories")
  func keysOfStories() throws {
    let file = Self.whole["components"]?["schemas"]?[NamedSchema.storyDocument.rawValue]
    let step = try #require(file?["properties"]?["steps"]?["items"]?["properties"]?.members)
    let described = Set(step.map(\.name))
    let article = try String(
      contentsOfFile: "Sources/Backstage/Backstage.docc/StoryFiles.md",
      encoding: .utf8
    )
    let section = try #require(
      article.components(separatedBy: "\n## ").first { $0.hasPrefix("Keys of a step\n") }
    )
    let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    for key in Story.Deed.Key.allCases {
      #expect(described.contains(key.rawValue), "\(key)")
      let isTold = cells.contains { $0.contains("`\(key.rawValue)`") }
      #expect(isTold, "\(key)")
    }
  }

  @Test("refers only to components that it has, and has none that nothing refers to")
  func references() throws {
    let text = String(decoding: APIDescription.whole, as: UTF8.self)
    let named = Set(
      text.matches(of: #/"\$ref":"#\/components\/(\w+)\/([^"]+)"/#)
        .map { "\($0.output.1) \($0.output.2)" }
    )
    var components: Set<String> = []
    for group in ["schemas", "parameters", "responses"] {
      for member in Self.whole["components"]?[group]?.members ?? [] {
        components.insert("\(group) \(member.name)")
      }
    }
    #expect(named == components)
  }

  @Test("has a password in an account that is sent, and none in one that is shown")
  func password() {
    let schemas = Self.whole["components"]?["schemas"]
    #expect(schemas?["UserChange"]?["properties"]?["password"] != nil)
    let user = schemas?["User"]
    #expect(user?["properties"]?["totp_secret"] != nil)
    #expect(user?["properties"]?["password"] == nil)
    #expect(user?["additionalProperties"] == false)
  }

  @Test("says how long a search for accounts may be")
  func search() {
    let list = Self.whole["paths"]?["/backstage/api/users"]?["get"]
    let search = list?["parameters"]?.array?.first { $0["name"] == "search" }
    #expect(search?["schema"]?["maxLength"] == .integer(Int64(AccountSearch.lengthLimit)))
    #expect(search?["description"]?.string?.contains("Up to 8 words") == true)
  }

  @Test("accepts a brand's colours in short form, and gives them in full")
  func colors() throws {
    let schemas = Self.whole["components"]?["schemas"]
    for (name, takesShort) in [("NewBrand", true), ("Brand", false)] {
      let color = schemas?[name]?["properties"]?["colors"]?["properties"]?["accent"]
      let pattern = try Regex(try #require(color?["pattern"]?.string))
      #expect(("#abc".wholeMatch(of: pattern) != nil) == takesShort, "\(name)")
      #expect("#0B6e4f".wholeMatch(of: pattern) != nil, "\(name)")
      #expect("#0b6e".wholeMatch(of: pattern) == nil, "\(name)")
    }
    let sent = Self.whole["paths"]?["/backstage/api/brand"]?["put"]?["requestBody"]
    let body = sent?["content"]?["application/json"]?["schema"]?["$ref"]
    #expect(body == "#/components/schemas/NewBrand")
  }

  @Test(
    "names the codes with which each call may be refused, and no others",
    arguments: [
      ("get", "messages/latest", 404, ["no_message"]), ("get", "messages/{id}", 404, ["not_found"]),
      ("get", "users/{id}/totp", 404, ["no_authenticator"]),
      ("get", "messages", 422, ["invalid_value"]), ("get", "clock", 422, ["invalid_value"]),
      ("get", "clock", 404, nil), ("get", "clock", 431, ["head_too_large"]),
      ("get", "clock", 504, ["timed_out"]),
      ("post", "stand", 422, ["invalid_value", "unreachable"]),
      ("put", "brand", 422, ["invalid_value", "no_brand_file"]),
      ("get", "brand", 422, ["invalid_value", "unusable_brand"]),
      ("get", "export", 507, ["world_too_large"]),
      ("post", "clock", 400, ["malformed_request", "invalid_world"]),
    ] as [(String, String, Int, [String]?)]
  )
  func refusals(method: String, path: String, status: Int, codes: [String]?) throws {
    let operation = Self.whole["paths"]?["/backstage/api/\(path)"]?[method]
    let name = operation?["responses"]?["\(status)"]?["$ref"]?.string?.split(separator: "/").last
    let response = name.flatMap { Self.whole["components"]?["responses"]?[String($0)] }
    let schema = response?["content"]?["application/json"]?["schema"]?["allOf"]?[1]
    let told = schema?["properties"]?["errors"]?["items"]?["properties"]?["code"]?["enum"]?.array
    #expect(told?.compactMap(\.string) == codes)
  }

  @Test("names every page and state of the atlas at which a browser can be asked to stand")
  func stands() {
    let post = Self.whole["paths"]?["/backstage/api/stand"]?["post"]
    let body = post?["requestBody"]?["content"]?["application/json"]?["schema"]?["$ref"]
    #expect(body == "#/components/schemas/Stand")
    let places = Self.whole["components"]?["schemas"]?["Stand"]?["anyOf"]?.array ?? []
    let names = places.flatMap { place -> [String] in
      let page = place["properties"]?["page"]?["const"]?.string ?? ""
      let states = place["properties"]?["state"]?["anyOf"]?[0]?["enum"]?.array ?? []
      return states.compactMap(\.string).map { "\(page)/\($0)" }
    }
    #expect(Set(names) == Set(Atlas.names) && names.count == Atlas.names.count)
  }

  /// The names of the parameters that a call or a page has in its query.
  private static func query(_ operation: JSON?) -> [String] {
    let parameters = (operation?["parameters"]?.array ?? []).map { parameter -> JSON in
      let name = parameter["$ref"]?.string?.split(separator: "/").last
      return name.flatMap { whole["components"]?["parameters"]?[String($0)] } ?? parameter
    }
    return parameters.filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
  }

  @Test(
    "names the query parameters of each page",
    arguments: [
      ("/sign-in", ["identifier", "__clerk_ticket"]), ("/forgot-password", ["identifier"]),
      ("/sign-up", ["email_address", "identifier", "change", "__clerk_ticket"]),
      ("/sign-in/link", ["flow_id", "approval_token", "__clerk_status"]),
      ("/account", ["sessions"]), ("/tasks/choose-organization", ["create"]),
      ("/sign-in/password", []),
    ]
  )
  func addresses(path: String, own: [String]) {
    let page = Self.whole["paths"]?[path]?["get"]
    #expect(Self.query(page) == ["redirect_url", "language"] + own)
  }

  @Test("says which answers have a Retry-After field, and which a link to more accounts")
  func headers() {
    let paths = Self.whole["paths"]
    func names(_ path: String, _ method: String, _ status: String) -> [String] {
      (paths?[path]?[method]?["responses"]?[status]?["headers"]?.members ?? []).map(\.name)
    }
    #expect(names("/sign-in", "get", "429") == ["Retry-After"])
    #expect(names("/sign-in", "post", "429") == ["Retry-After"])
    #expect(names("/locked", "get", "403") == ["Retry-After"])
    #expect(names("/blocked", "get", "403") == [] && names("/sign-in", "post", "422") == [])
    #expect(names("/backstage/api/users", "get", "200") == ["Link"])
    #expect(names("/backstage/api/messages", "get", "200") == [])
  }

  @Test(
    "accepts a time with any offset, as the clock does",
    arguments: [
      "2026-11-21T14:35:00Z", "2026-11-21T14:35:00.250+02:00", "2026-11-21T14:35:00-0330",
    ]
  )
  func times(_ time: String) async throws {
    let post = Self.whole["paths"]?["/backstage/api/clock"]?["post"]
    let body = post?["requestBody"]?["content"]?["application/json"]?["schema"]?["anyOf"]
    let set = body?.array?.compactMap { $0["properties"]?["set"]?["pattern"]?.string }.first
    let pattern = try Regex(try #require(set))
    #expect(time.wholeMatch(of: pattern) != nil)
    #expect("2026-11-21T14:35:00".wholeMatch(of: pattern) == nil)
    let client = try BackstageClient()
    let answer = try await client.send(.post, "clock", body: #"{"set": "\#(time)"}"#)
    #expect(answer.status == 200)
  }

  @Test("describes every form's fields completely, and leaves room only for a tenant's own")
  func closedForms() {
    let paths = Self.whole["paths"]?.members ?? []
    let bodies = paths.compactMap { path in
      path.value["post"]?["requestBody"]?["content"]?["application/x-www-form-urlencoded"]
        .map { (path: path.name, schema: $0["schema"] ?? .null) }
    }
    #expect(bodies.count > 30)
    for (path, schema) in bodies {
      #expect(schema["additionalProperties"] == false, "\(path)")
      let isAsked = ["/sign-up", "/sign-up/continue"].contains(path)
      #expect((schema["patternProperties"] != nil) == isAsked, "\(path)")
      #expect((schema["properties"]?["postalCode"] != nil) == isAsked, "\(path)")
    }
  }

  @Test("mentions no page on an emulator's own port, where there are none")
  func withoutPages() async throws {
    let answer = try await BackstageClient().send(.get, "openapi.json")
    #expect(answer.status == 200)
    #expect(answer.json["openapi"] == "3.1.0")
    let found = Self.operations(of: answer.json)
    #expect(found.allSatisfy { $0.contains(" /backstage/api/") })
    let missing = Self.routes.subtracting(found)
    #expect(
      missing.map { $0.split(separator: "/").dropFirst(3).joined(separator: "/") }.sorted()
        == [
          "brand", "brand", "errors", "recordings", "recordings/{recording}",
          "recordings/{recording}", "stand", "stories", "stories/{name}",
        ]
    )
  }

  @Test(
    "without pages, no method finds anything at an address that belongs to them",
    arguments: [
      (.get, "brand"), (.get, "errors"), (.get, "stories"), (.get, "stories/x"),
      (.post, "stories/x"), (.get, "stand"), (.post, "stand"), (.get, "recordings"),
      (.post, "recordings"), (.get, "recordings/x.sh"), (.post, "recordings/x.sh"),
      (.delete, "recordings/x"),
    ] as [(HTTPRequest.Method, String)]
  )
  func nothingOfPages(method: HTTPRequest.Method, path: String) async throws {
    let answer = try await BackstageClient().send(method, path)
    #expect(answer.status == 404)
    #expect(answer.json["errors"]?[0]?["message"] == "There is nothing at this address.")
    #expect(answer.fields[.allow] == nil)
  }

  @Test("a call that has parameters refuses one that it does not have")
  func parameters() async throws {
    let client = try BackstageClient()
    for path in ["messages?from=x", "messages/latest?purpose=sign_in&late=1", "users?name=ada"] {
      let answer = try await client.send(.get, path)
      #expect(answer.status == 422, "\(path)")
      #expect(answer.code == "invalid_value")
    }
  }
}
