import Emulators
import HTTPTypes
import Testing

@Suite("Accounts that backstage is given")
struct UsersTests {
  private let client: BackstageClient

  init() throws { client = try BackstageClient() }

  @Test(
    "a value that another account has is refused, with its key",
    arguments: [
      (#"{"email_addresses": ["new@example.com", "ADA@example.com"]}"#, "ada@example.com"),
      (#"{"phone_numbers": ["+1 201 555 0142"]}"#, "+12015550142"),
      (#"{"second_factor_phone_numbers": ["+12015550142"]}"#, "+12015550142"),
      (#"{"username": "Kurt"}"#, "kurt"), (#"{"id": "user_ada"}"#, "user_ada"),
    ]
  )
  func taken(body: String, value: String) async throws {
    let key = try #require(body.split(separator: "\"").dropFirst().first)
    // Otherwise a lock's seconds would run on.
    _ = try await client.send(.post, "clock", body: #"{"freeze": true}"#)
    let before = try await client.send(.get, "users").json
    var answers = [try await client.send(.post, "users", body: body)]
    if key != "id" { answers.append(try await client.send(.patch, "users/user_mia", body: body)) }
    for answer in answers {
      #expect(answer.status == 422)
      #expect(answer.json["errors"]?[0]?["message"]?.string == "'\(key)': '\(value)' is taken")
    }
    #expect(try await client.send(.get, "users").json == before)
  }

  @Test(
    "an account is named by what it signs in with as well, as people write it",
    arguments: [
      ("MIA%40example.com", "user_mia"), ("mia@example.com", "user_mia"), ("Kurt", "user_kurt"),
      ("+1%20201-555-0142", "user_phil"), ("%2B12015550142", "user_phil"),
    ]
  )
  func byIdentifier(segment: String, id: String) async throws {
    #expect(try await client.send(.get, "users/\(segment)").json["id"] == .string(id))
    let changed = try await client.send(.patch, "users/\(segment)", body: #"{"first_name":"Q"}"#)
    #expect(changed.json["id"] == .string(id) && changed.json["first_name"] == "Q")
    #expect(try await client.send(.delete, "users/\(segment)").status == 204)
    #expect(try await client.send(.get, "users/\(id)").status == 404)
    #expect(try await client.send(.get, "users/\(segment)").status == 404)
  }

  @Test("an ID takes precedence over a username that is spelt like it")
  func idFirst() async throws {
    let body = #"{"id": "user_other", "username": "user_ada"}"#
    #expect(try await client.send(.post, "users", body: body).status == 200)
    #expect(try await client.send(.get, "users/user_ada").json["id"] == "user_ada")
    #expect(try await client.send(.delete, "users/user_ada").status == 204)
    #expect(try await client.send(.get, "users/user_ada").json["id"] == "user_other")
  }

  @Test("an authenticator's code is found by an address; a refusal says what is missing")
  func authenticator() async throws {
    let code = try await client.send(.get, "users/mia@example.com/totp")
    #expect(code.json["code"]?.string?.count == 6)
    for (name, words) in [
      ("ada@example.com", "The account 'user_ada' does not have an authenticator app."),
      ("user_ada", "The account 'user_ada' does not have an authenticator app."),
      ("adda@example.com", "There is no account 'adda@example.com' in this world."),
    ] {
      let answer = try await client.send(.get, "users/\(name)/totp")
      #expect(answer.status == 404 && answer.code == "no_authenticator")
      #expect(answer.json["errors"]?[0]?["message"]?.string == words)
    }
  }

  @Test("a search finds accounts by parts of what names them, and goes on page by page")
  func search() async throws {
    let all = try #require(try await client.send(.get, "users").json.array)
    let withAddress = all.filter { $0["email_addresses"] != [] }
    try #require(withAddress.count > 10 && withAddress.count < all.count)
    var found: [JSON] = []
    var path: String? = "users?search=@EXAMPLE&limit=10"
    while let next = path {
      let answer = try await client.send(.get, next)
      found += answer.json.array ?? []
      path = answer.fields[.link].flatMap { $0.split(separator: ">").first }.map {
        String($0.dropFirst("</backstage/api/".count))
      }
      if let path { #expect(path.contains("search=%40EXAMPLE")) }
    }
    #expect(found.map { $0["id"] } == withAddress.map { $0["id"] })
    let number = try await client.send(.get, "users?search=555%200142")
    #expect(number.json.array?.map { $0["id"] } == ["user_phil"])
    #expect(try await client.send(.get, "users?search=no+such").json == [])
  }

  @Test(
    "a search for nothing, for too much, or beside an identifier is refused",
    arguments: [
      "search=", "search=%20", "search=a+b+c+d+e+f+g+h+i",
      "search=\(String(repeating: "a", count: 255))", "search=ada&identifier=ada@example.com",
    ]
  )
  func refusedSearch(query: String) async throws {
    let answer = try await client.send(.get, "users?\(query)")
    #expect(answer.status == 422 && answer.code == "invalid_value")
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message?.contains("'search'") == true)
  }

  @Test("an address that is named twice is one, whether the account is new or not")
  func twice() async throws {
    let body = #"{"email_addresses": ["new@example.com", "New@example.com"], "phone_numbers": []}"#
    let made = try await client.send(.post, "users", body: body)
    #expect(made.json["email_addresses"] == ["new@example.com"])
    let id = try #require(made.json["id"]?.string)
    #expect(try await client.send(.patch, "users/\(id)", body: body).json == made.json)
  }

  @Test("an app's data and a tenant's attributes are kept as given, also through an import")
  func kept() async throws {
    let body = """
      {"email_addresses": ["new@example.com"], "unsafe_metadata": {"plan": "pro", "seats": [1]},
       "entra": {"attributes": {"city": "Rome"}}}
      """
    let made = try await client.send(.post, "users", body: body)
    let id = try #require(made.json["id"]?.string)
    let world = try await client.send(.get, "export").json
    let nothing = #"{"unsafe_metadata": {}, "entra": {}}"#
    _ = try await client.send(.patch, "users/\(id)", body: nothing)
    let changed = try await client.send(.get, "users/\(id)").json
    #expect(changed["unsafe_metadata"] == [:])
    #expect(changed["entra"]?["attributes"] == [:])
    let copy = String(decoding: world.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: copy).status == 200)
    let told = try await client.send(.get, "users/\(id)").json
    #expect(told == made.json)
    #expect(told["unsafe_metadata"] == ["plan": "pro", "seats": [1]])
    #expect(told["entra"]?["attributes"] == ["city": "Rome"])
  }
}
