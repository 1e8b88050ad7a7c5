import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import Vestibule
import VestibuleTesting

@Suite("What leaves by traces", .inTurn)
struct TraceSecretJourneys {
  private static let wrong = #"not "it" <& ä-7xQ9zz"#
  private static let new = "Quite-another-secret-9"

  @Test("traces show no secret of any kind, over either API", arguments: Stage.API.allCases)
  func secrets(api: Stage.API) async throws {
    let tap = Tap()
    var configuration = try Stage.Setting().configuration(over: api)
    configuration.aroundEmulator = { TappedHandler(handler: $0, tap: tap) }
    let vestibule = try TestVestibule(configuration)
    let scene = Scene(
      stage: Stage(place: .inProcess, api: api),
      host: "localhost:8080",
      pages: vestibule.transport,
      emulator: vestibule.transport
    )
    switch api {
    case .clerk: try await walkOverClerk(scene, tap)
    case .entra: try await walkOverEntra(scene, tap)
    }
    tap.add([password, "7xQ9zz", Self.new, "a-good-new-password-7"])
    for message in try await scene.backstage.messages() {
      tap.add([message.code].compactMap(\.self))
      tap.add(message.link.map(Tap.values) ?? [])
    }
    #expect(tap.secrets.count > 30, "\(tap.secrets)")

    let leaving = try await leaving(scene)
    for (place, text) in leaving {
      #expect(text.contains("password>") || text.contains("password&gt;"), "\(place)")
      for secret in tap.secrets where Self.find(secret, in: text) {
        Issue.record("\(place) has \(secret)")
      }
    }
  }

  /// Everything that shows traces.
  private func leaving(_ scene: Scene) async throws -> [(place: String, text: String)] {
    let data = try await scene.backstage.call(.get, "traces")
    struct Trace: Decodable { var visit: String? }
    let traces = try JSONDecoder().decode([Trace].self, from: data)
    let archive = try await scene.backstage.call(.get, "traces/all.har")
    var leaving = [
      ("traces", String(decoding: data, as: UTF8.self)),
      ("all.har", String(decoding: archive, as: UTF8.self)),
    ]
    var pages = ""
    for visit in Set(traces.compactMap(\.visit)).sorted() {
      for accepted in ["text/html", "application/json"] {
        let page = try await scene.newBrowser().send(
          .get,
          "/backstage/traces?visit=\(visit)",
          fields: [.accept: accepted]
        )
        pages += String(decoding: page.body, as: UTF8.self)
      }
    }
    leaving.append(("pages", pages))
    return leaving
  }

  /// A number with further digits beside it is a different number.
  private static func find(_ secret: String, in text: String) -> Bool {
    text.ranges(of: secret).contains { range in
      guard secret.allSatisfy(\.isNumber) else { return true }
      let before = text[..<range.lowerBound].last
      let after = text[range.upperBound...].first
      return before?.isNumber != true && after?.isNumber != true
    }
  }

  // MARK: Walks

  private func walkOverClerk(_ scene: Scene, _ tap: Tap) async throws {
    let ada = scene.newBrowser()
    try await ada.signIn("ada@example.com", Self.wrong)
    await tap.add(of: ada)
    try await ada.submit(["password": password])
    try await ada.signOut()
    try await ada.forgotPassword("ada@example.com")
    try await ada.submit(["code": "736251"])
    let code = try await scene.backstage.latestCode(to: "ada@example.com")
    try await ada.submit(["code": code])
    let entered = try await ada.setPassword(Self.new)
    #expect(entered.page == "account")
    await tap.add(of: ada)

    let mia = scene.newBrowser()
    try await mia.signIn("mia@example.com")
    let app = try await scene.backstage.authenticatorCode(of: "user_mia")
    tap.add([app, "mia-0000-0001", "JBSWY3DPEHPK3PXP"])
    try await mia.open("/sign-in/second-factor/backup-code")
    #expect(try await mia.submit(["code": "mia-0000-0001"]).page == "account")
    await tap.add(of: mia)

    let link = scene.newBrowser()
    try await link.signIn("link@example.com")
    let mail = try await scene.backstage.latestMessage(to: "link@example.com")
    try await link.open(EmailLinkJourneys.path(of: mail))
    #expect(try await link.submit().page == "account")

    let tess = scene.newBrowser()
    try await tess.signIn("tess@example.com")
    let setUp = try await tess.submit(form: "authenticator")
    tap.add([try #require(setUp.facts["secret"] as? String)])
    let first = try await scene.backstage.authenticatorCode(of: "user_tess")
    tap.add([first])
    let codes = try await tess.submit(["code": first])
    tap.add(try #require(codes.facts["backup_codes"] as? [String]))
    try await tess.submit()
    await tap.add(of: tess)

    _ = try await scene.backstage.call(
      .post,
      "invitations",
      json: #"{"email_address":"ines@example.com","redirect_url":"http://localhost:8080/sign-up"}"#
    )
    let invitation = try await scene.backstage.latestMessage(to: "ines@example.com")
    let ines = scene.newBrowser()
    try await ines.open(EmailLinkJourneys.path(of: invitation))
    await tap.add(of: ines)
    try await signUp(scene, tap)
  }

  private func walkOverEntra(_ scene: Scene, _ tap: Tap) async throws {
    let ada = scene.newBrowser()
    try await ada.signIn("ada@example.com", Self.wrong)
    await tap.add(of: ada)
    let account = try await ada.signIn("ada@example.com")
    #expect(account.page == "account", "\(account.status) \(account.errorCodes)")
    try await ada.submit(form: "get-token")
    await tap.add(of: ada)
    try await ada.signOut()
    try await ada.forgotPassword("ada@example.com")
    let code = try await scene.backstage.latestCode(to: "ada@example.com")
    try await ada.submit(["code": code])
    #expect(try await ada.setPassword(Self.new).page == "account")

    let mia = scene.newBrowser()
    try await mia.signIn("mia@example.com")
    try await mia.submit(form: "email_code")
    try await mia.submit(["code": "73625190"])
    let second = try await scene.backstage.latestCode(to: "mia@example.com")
    #expect(try await mia.submit(["code": second]).page == "account")
    await tap.add(of: mia)
    try await signUp(scene, tap)
  }

  private func signUp(_ scene: Scene, _ tap: Tap) async throws {
    let noor = scene.newBrowser()
    try await noor.signUp("noor@example.com")
    let code = try await scene.backstage.latestCode(to: "noor@example.com")
    #expect(try await noor.submit(["code": code]).page == "account")
    await tap.add(of: noor)
  }
}

/// The secrets that passed.
private final class Tap: Sendable {
  private let found = Locked<Set<String>>([])

  var secrets: Set<String> { found.withLock { $0 } }

  func add(_ secrets: [String]) {
    found.withLock { $0.formUnion(secrets.filter { $0.utf8.count >= 4 }) }
  }

  /// What a browser keeps, and the tokens of the forms on its page.
  func add(of browser: FormSession) async {
    add(await browser.cookies.values.map { String($0.prefix(40)) })
    add(await browser.page?.forms.map(\.token) ?? [])
  }

  func add(_ request: Request, _ response: Response) {
    for fields in [request.headerFields, response.headerFields] {
      for name in [HTTPField.Name.authorization, .cookie, .setCookie] {
        add(fields[values: name].flatMap(Self.values))
      }
    }
    for form in [request.queryParameters, (try? FormData(decoding: request.body)) ?? FormData()] {
      add(form.fields.filter { Self.sent.contains($0.name) }.map(\.value))
    }
    if let json = try? JSONSerialization.jsonObject(with: Data(response.body)) { add(in: json) }
    add(response.headerFields[values: .location].flatMap(Self.values))
  }

  private static let sent: Set = [
    "password", "new_password", "code", "oob", "continuation_token", "refresh_token", "ticket",
    "token", "code_verifier", "rotating_token_nonce", "current_password", "__clerk_ticket",
  ]
  private static let answered: Set = [
    "jwt", "secret", "uri", "codes", "backup_codes", "continuation_token", "access_token",
    "refresh_token", "id_token", "client_info", "ticket", "token",
  ]

  private func add(in json: Any, named name: String = "") {
    switch json {
    case let object as [String: Any]: for (name, value) in object { add(in: value, named: name) }
    case let list as [Any]: for value in list { add(in: value, named: name) }
    case let text as String where Self.answered.contains(name): add([text])
    default: break
    }
  }

  /// What a header field or a link carries: what follows each `=`, otherwise all of it.
  static func values(in text: String) -> [String] {
    let parts = text.split { "?&; #".contains($0) }
    let values = parts.compactMap { part -> String? in
      let pair = part.split(separator: "=", maxSplits: 1)
      let known = ["Path", "SameSite", "Max-Age", "redirect_url", "world", "client_id", "scope"]
      // Ids of attempts are not secrets: calls have them in their paths.
      let isSecret = !pair[pair.count - 1].hasPrefix("sia_") && !known.contains(String(pair[0]))
      return pair.count == 2 && isSecret && pair[1].count > 15 ? String(pair[1]) : nil
    }
    return values.isEmpty && !text.contains("/") ? [text] : values
  }
}

private struct TappedHandler: HTTPHandler {
  let handler: any HTTPHandler
  let tap: Tap

  func respond(to request: Request) async -> Response {
    let response = await handler.respond(to: request)
    tap.add(request, response)
    return response
  }
}
