import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("Backstage's calls, as a program makes them one after another", .inTurn)
struct BackstageCallJourneys {
  private struct Named: Decodable {
    var id: String?
    var name: String?
  }

  private static let stages = [Stage.inProcess, .overSockets]

  /// What a browser sends with a request from a page of another site, or of another port.
  private static func foreign(
    _ destination: String,
    of site: String = "cross-site"
  ) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in [("Sec-Fetch-Site", site), ("Sec-Fetch-Dest", destination)] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }

  private static func read<Value: Decodable>(
    _ type: Value.Type,
    from data: Data
  ) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }

  @Test("messages are read one by one, deleted one by one, and all at once", arguments: stages)
  func messages(stage: Stage) async throws {
    try await stage.play { scene in
      let backstage = scene.backstage
      try await scene.newBrowser().signIn("cody@example.com", "")
      let invitation = #"{"email_address": "una@example.com"}"#
      _ = try await backstage.call(.post, "invitations", json: invitation)
      let found = try await backstage.messages()
      #expect(found.map(\.to) == ["una@example.com", "cody@example.com"])
      let mail = try #require(found.last)
      let path = "messages/\(mail.id)"
      let one = try Self.read(TestBackstage.Message.self, from: await backstage.call(.get, path))
      #expect(one == mail)
      _ = try await backstage.call(.delete, path)
      #expect(try await backstage.messages().map(\.to) == ["una@example.com"])
      _ = try await backstage.call(.delete, "messages")
      #expect(try await backstage.messages().isEmpty)
      await #expect(throws: TestBackstage.Failure.self) {
        try await backstage.call(.get, path)
      }
    }
  }

  @Test(
    "a signed-in user is read, changed and deleted by the id that the page shows",
    arguments: stages + [Stage(place: .inProcess, api: .entra)]
  )
  func shownUser(stage: Stage) async throws {
    struct Shown: Decodable {
      struct Facts: Decodable { var user: Named }
      var facts: Facts
    }
    struct Changed: Decodable { var first_name: String? }
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let page = try #require(await browser.page)
      let id = try #require(try Self.read(Shown.self, from: page.body).facts.user.id)
      let backstage = scene.backstage
      let user = try Self.read(Named.self, from: await backstage.call(.get, "users/\(id)"))
      #expect(user.id == "user_ada")
      let name = #"{"first_name": "Adah"}"#
      let changed = try await backstage.call(.patch, "users/\(id)", json: name)
      #expect(try Self.read(Changed.self, from: changed).first_name == "Adah")
      _ = try await backstage.call(.delete, "users/\(id)")
      await #expect(throws: TestBackstage.Failure.self) {
        try await backstage.call(.get, "users/\(id)")
      }
    }
  }

  @Test(
    "one press breaks one sign-in, and the next try works",
    arguments: [Stage.inProcess, Stage(place: .inProcess, api: .entra)]
  )
  func brokenByOnePress(stage: Stage) async throws {
    try await stage.play { scene in
      let workbench = scene.newBrowser()
      let html: HTTPFields = [.accept: "text/html"]
      let page = try await workbench.send(.get, "/backstage/faults", fields: html)
      let token = try #require(
        String(decoding: page.body, as: UTF8.self)
          .firstMatch(of: #/name="form_token" value="([^"]+)"/#)?.output.1
      )
      let form: FormData = [
        "form_token": String(token), "action": "rehearse", "id": "broken",
      ]
      let pressed = try await workbench.send(.post, "/backstage/faults", body: form, fields: html)
      #expect(pressed.status == .seeOther)
      let browser = scene.newBrowser()
      let broken = try await browser.signIn("ada@example.com")
      #expect(broken.page == "sign-in" && broken.status == 502, "\(broken.errorCodes)")
      let left = try Self.read([Named].self, from: await scene.backstage.call(.get, "faults"))
      #expect(left.isEmpty, "nothing is left for the next try")
      #expect(try await browser.submit(["password": password]).page == "account")
    }
  }

  @Test("faults are added, listed, and taken away", arguments: stages)
  func faults(stage: Stage) async throws {
    try await stage.play { scene in
      let backstage = scene.backstage
      let answer =
        #"{"match": {"method": "POST"}, "times": 2, "seconds": 60, "answer": {"status": 429, "#
        + #""headers": {"Retry-After": "30"}, "json": {"errors": []}}}"#
      let first = try Self.read(
        Named.self,
        from: await backstage.call(.post, "faults", json: answer)
      )
      _ = try await backstage.call(.post, "faults", json: #"{"delay_ms": 5, "fault": "empty"}"#)
      func count() async throws -> Int {
        try Self.read([Named].self, from: await backstage.call(.get, "faults")).count
      }
      #expect(try await count() == 2)
      _ = try await backstage.call(.delete, "faults/\(try #require(first.id))")
      #expect(try await count() == 1)
      _ = try await backstage.call(.delete, "faults")
      #expect(try await count() == 0)
    }
  }

  @Test("a world that is dropped while its page is made does not come back", arguments: stages)
  func droppedMeanwhile(stage: Stage) async throws {
    try await stage.play { scene in
      let backstage = TestBackstage(over: scene.pages, host: scene.host, world: "short-lived")
      func setFault(_ effect: String) async throws {
        let json = #"{"match": {"path": "/v1/environment"}, \#(effect)}"#
        _ = try await backstage.call(.delete, "faults")
        _ = try await backstage.call(.post, "faults", json: json)
      }
      func isHeld() async throws -> Bool {
        try Self.read([Named].self, from: await backstage.call(.get, "faults")).isEmpty
      }
      let browser = FormSession(over: scene.pages, host: scene.host, world: "short-lived")
      try await setFault(#""fault": "refused""#)
      #expect(try await browser.open("/sign-in").status >= 500)
      // The form makes two calls, since the instance is not known yet: the first one is held.
      try await setFault(#""times": 1, "delay_ms": 60000"#)
      let sending = Task {
        try await browser.submit(["identifier": "ada@example.com", "password": password])
      }
      let end = ContinuousClock.now + .seconds(5)
      while try await !isHeld(), ContinuousClock.now < end { await Task.yield() }
      #expect(try await isHeld())
      _ = try await scene.backstage.call(.delete, "worlds/short-lived")
      let answer = try await sending.value
      #expect(answer.status >= 500, "\(answer.errorCodes)")
      let left = try Self.read([Named].self, from: await scene.backstage.call(.get, "worlds"))
      #expect(left.map(\.name) == ["main"])
    }
  }

  @Test("the clock is set, frozen, and put back", arguments: stages)
  func clock(stage: Stage) async throws {
    struct Reading: Decodable, Equatable {
      var now: String
      var frozen: Bool
    }
    try await stage.play { scene in
      let backstage = scene.backstage
      func reading() async throws -> Reading {
        try Self.read(Reading.self, from: await backstage.call(.get, "clock"))
      }
      _ = try await backstage.call(.post, "clock", json: #"{"set": "2030-01-01T00:00:00Z"}"#)
      #expect(try await !reading().frozen)
      let answer = try await backstage.call(.post, "clock", json: #"{"freeze": true}"#)
      let frozen = try Self.read(Reading.self, from: answer)
      #expect(frozen.frozen)
      #expect(try await backstage.now().timeIntervalSince1970.rounded() >= 1_893_456_000)
      #expect(try await reading() == frozen)
      _ = try await backstage.call(.post, "clock", json: #"{"reset": true}"#)
      #expect(try await !reading().frozen)
      #expect(try await abs(backstage.now().timeIntervalSinceNow) < 60)
    }
  }

  private struct SigningKeys: Decodable {
    struct Key: Decodable {
      var kid: String
      var signs: Bool
    }
    var keys: [Key]
  }

  @Test("the signing key is replaced, and nobody is signed out", arguments: stages)
  func signingKeys(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      func rotated() async throws -> [SigningKeys.Key] {
        let answer = try await scene.backstage.call(.post, "keys", json: #"{"rotate": true}"#)
        return try Self.read(SigningKeys.self, from: answer).keys
      }
      let before = try await rotated()
      let after = try await rotated()
      #expect(after.map(\.signs) == [true, false])
      #expect(after.last?.kid == before.first?.kid)
      #expect(try await browser.open("/account").page == "account")
      await #expect(throws: TestBackstage.Failure.self) {
        try await scene.backstage.call(.post, "keys", json: #"{"rotate": false}"#)
      }
    }
  }

  @Test("an account is added, changed, looked at and deleted", arguments: stages)
  func users(stage: Stage) async throws {
    try await stage.play { scene in
      let backstage = scene.backstage
      let account =
        #"{"email_addresses": ["una@example.com"], "password": "quiet-harbour-77-lamps", "#
        + #""totp_secret": "JBSWY3DPEHPK3PXP", "organizations": [{"name": "A", "slug": "a"}]}"#
      let una = try Self.read(
        Named.self,
        from: await backstage.call(.post, "users", json: account)
      )
      let path = "users/\(try #require(una.id))"
      _ = try await backstage.call(.patch, path, json: #"{"locked": {"seconds": 60}}"#)
      let seen = String(decoding: try await backstage.call(.get, path), as: UTF8.self)
      #expect(seen.contains(#""locked":{"seconds""#))
      #expect(!seen.contains("quiet-harbour"))
      #expect(try await backstage.authenticatorCode(of: try #require(una.id)).count == 6)
      let page = try await backstage.call(.get, "users?limit=2")
      #expect(try Self.read([Named].self, from: page).count == 2)
      _ = try await backstage.call(.delete, path)
      await #expect(throws: TestBackstage.Failure.self) { try await backstage.call(.get, path) }
    }
  }

  @Test("traces are read, also as an archive, and forgotten", arguments: stages)
  func traces(stage: Stage) async throws {
    try await stage.play { scene in
      let backstage = scene.backstage
      let ada = scene.newBrowser()
      try await ada.signIn("ada@example.com", "not-this-one-9")
      try await ada.signIn("ada@example.com")
      _ = try await backstage.call(.get, "traces?visit=visit_1")
      let mia = scene.newBrowser()
      try await mia.signIn("mia@example.com")
      let own = try await mia.send(
        .get,
        "/backstage/api/traces?visit=current",
        fields: [.vestibuleBackstage: "1"]
      )
      let told = String(decoding: own.body, as: UTF8.self)
      #expect(told.contains("mia@example.com") && !told.contains("ada@example.com"))
      for archive in ["visit_1.har", "all.har"] {
        let text = String(
          decoding: try await backstage.call(.get, "traces/\(archive)"),
          as: UTF8.self
        )
        #expect(text.contains(#""version":"1.2""#))
      }
      _ = try await backstage.call(.delete, "traces")
      let traces = try await backstage.call(.get, "traces")
      #expect(String(decoding: traces, as: UTF8.self) == "[]")
    }
  }

  @Test("a world is carried into another one, and dropped there", arguments: stages)
  func worlds(stage: Stage) async throws {
    try await stage.play { scene in
      try await scene.newBrowser().signIn("ada@example.com")
      _ = try await scene.backstage.call(.patch, "instance", json: #"{"identifier_first": true}"#)
      let document = try await scene.backstage.call(.get, "export")
      let other = TestBackstage(over: scene.pages, host: scene.host, world: "carried-there")
      let text = String(decoding: document, as: UTF8.self)
      _ = try await other.call(.post, "import", json: text)
      let settings = String(decoding: try await other.call(.get, "instance"), as: UTF8.self)
      #expect(settings.contains(#""identifier_first":true"#))
      _ = try await scene.backstage.call(.delete, "worlds/carried-there")
      let names = try Self.read([Named].self, from: await scene.backstage.call(.get, "worlds"))
      #expect(!names.contains { $0.name == "carried-there" })
      _ = try await scene.backstage.call(.post, "reset")
    }
  }

  @Test("a page of another site makes no world by embedding or fetching one of ours (S32)")
  func foreignPages() async throws {
    try await Stage.inProcess.play { scene in
      let session = FormSession(over: scene.pages, host: "pictured.localhost:8080")
      func status(_ destination: String, of site: String = "cross-site") async throws -> Int {
        let fields = Self.foreign(destination, of: site)
        return try await session.send(.get, "/sign-in", fields: fields).status.code
      }
      for destination in ["image", "iframe", "empty"] {
        for site in ["cross-site", "same-site"] {
          #expect(try await status(destination, of: site) == 403, "\(destination) \(site)")
        }
      }
      let names = try Self.read([Named].self, from: await scene.backstage.call(.get, "worlds"))
      #expect(!names.contains { $0.name == "pictured" })
      // Nothing that backstage serves makes a world for it either.
      for path in [
        "inbox", "export", "atlas", "map", "traces/1.har",
        "browser/v1/verify?world=pictured&token=x",
      ] {
        for fields in [
          Self.foreign("image"), Self.foreign("image", of: "same-site"),
          [.origin: "http://localhost:3000"],
        ] as [HTTPFields] {
          let answer = try await session.send(.get, "/backstage/\(path)", fields: fields)
          #expect(answer.status.code == 403, "\(path) \(fields)")
        }
      }
      var posted = Self.foreign("iframe")
      posted[.contentType] = "application/x-www-form-urlencoded"
      _ = try await session.send(
        .post,
        "/backstage/settings",
        bytes: Array("x=1".utf8),
        fields: posted
      )
      let still = try Self.read([Named].self, from: await scene.backstage.call(.get, "worlds"))
      #expect(!still.contains { $0.name == "pictured" })
      // A followed link opens the page, and that makes the world.
      #expect(try await status("document") == 200)
      #expect(try await status("image") == 403)
    }
  }

  @Test(
    "the emulated API's page for browsers makes no world, and takes no form from another site",
    arguments: [
      (Stage.API.clerk, "v1/enterprise_sso"),
      (.entra, "contoso.onmicrosoft.com/oauth2/v2.0/authorize"),
    ]
  )
  func browserPages(api: Stage.API, page: String) async throws {
    try await Stage(place: .inProcess, api: api).play { scene in
      let session = FormSession(over: scene.pages, host: "localhost:8080")
      let known = "/backstage/browser/\(page)?token=x"
      let target = "\(known)&world=unmade"
      func posted(_ fields: HTTPFields) async throws -> Int {
        try await session.send(.post, target, body: ["decision": "approve"], fields: fields)
          .status.code
      }
      for fields in [
        [.origin: "http://evil.example"], [.origin: "null"], [.origin: "http://localhost:3000"],
        Self.foreign("document"), Self.foreign("document", of: "same-site"),
      ] as [HTTPFields] {
        #expect(try await posted(fields) == 403, "\(fields)")
      }
      // A followed link and the page's own form are answered like an unknown token.
      let unknown = try await session.send(.get, known)
      #expect(try await posted([.origin: "http://localhost:8080"]) == unknown.status.code)
      let followed = try await session.send(.get, target, fields: Self.foreign("document"))
      #expect(followed.status == unknown.status)
      let names = try Self.read([Named].self, from: await scene.backstage.call(.get, "worlds"))
      #expect(!names.contains { $0.name == "unmade" })
    }
  }

  @Test("a page of another site uses up no fault of the emulated API, and leaves no trace (S23)")
  func foreignCalls() async throws {
    try await Stage.twoProcesses.play { scene in
      try await scene.rehearse("/v1/client", #""fault":"not_json""#, method: "GET")
      func status(_ method: HTTPRequest.Method, _ fields: HTTPFields) async throws -> Int {
        let call = Request(method: method, target: "/v1/client", headerFields: fields)
        return try await scene.emulator.send(call).status.code
      }
      #expect(try await status(.get, Self.foreign("image")) == 400)
      #expect(try await status(.get, Self.foreign("image", of: "same-site")) == 400)
      #expect(try await status(.get, [.origin: "https://evil.example"]) == 400)
      #expect(try await status(.post, [.origin: "null"]) == 400)
      // A prefetch: the browser does not say from which page it comes.
      let purpose = try #require(HTTPField.Name("Sec-Purpose"))
      #expect(try await status(.get, [purpose: "prefetch;prerender"]) == 400)
      let faults = try Self.read([Named].self, from: await scene.backstage.call(.get, "faults"))
      #expect(faults.count == 1)
      #expect(try await scene.backstage.call(.get, "traces") == Data("[]".utf8))
      // A page of this machine may call it.
      var called = Self.foreign("empty", of: "same-site")
      called[.origin] = "http://localhost:3000"
      #expect(try await status(.get, called) == 200)
      let left = try Self.read([Named].self, from: await scene.backstage.call(.get, "faults"))
      #expect(left.isEmpty)
    }
  }

  @Test("the brand is read and written, and the OpenAPI description is served")
  func brand() async throws {
    try await withTemporaryFolder { folder in
      let file = "\(folder)/brand.json"
      try #"{"name": "Harbour"}"#.write(toFile: file, atomically: true, encoding: .utf8)
      var configuration = Configuration()
      configuration.service = .pages(at: .init(port: 8080), over: .emulated(.clerk))
      try configuration.readBrand(file)
      let backstage = try TestVestibule(configuration).recordedBackstage(world: "main")
      let changed = ##"{"name": "Quay", "radius": 4, "colors": {"accent": "#0b6e4f"}}"##
      _ = try await backstage.call(.put, "brand", json: changed)
      let written = try String(contentsOfFile: file, encoding: .utf8)
      #expect(written.contains("Quay"))
      #expect(try await backstage.call(.get, "brand") == Data(written.utf8))
      let description = try await backstage.call(.get, "openapi.json")
      #expect(String(decoding: description, as: UTF8.self).hasPrefix(#"{"openapi":"3.1.0""#))
    }
  }
}
