import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// A walk that is recorded, and its export.
struct RecordedWalk: Sendable, CustomTestStringConvertible {
  /// A password in which every form of export has something to quote.
  static let quotable = #"it's "$HOME" `id` \n \(1) %41&+= ä-Ω-日本 #{x}"#
  static let newPassword = "quiet-harbour-77-lamps"

  let title: String
  /// Changes the world before the recording begins.
  var prepare: @Sendable (TestBackstage) async throws -> Void = { _ in }
  /// What the browser has done before.
  var before: @Sendable (FormSession) async throws -> Void = { _ in }
  let walk: @Sendable (FormSession, TestBackstage) async throws -> Void
  /// The Swift export, as a function of these tests.
  let exported: @Sendable () async throws -> Void

  var testDescription: String { title }

  static let all = [
    RecordedWalk(
      title: "A wrong password, then the right one",
      prepare: { backstage in
        let user =
          ["email_addresses": ["quinn@example.com"], "password": quotable] as [String: Any]
        let json = try JSONSerialization.data(withJSONObject: user)
        _ = try await backstage.call(.post, "users", json: String(decoding: json, as: UTF8.self))
      },
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "quinn@example.com", "password": "not it"])
        try await browser.submit(["password": quotable])
      },
      exported: aWrongPasswordThenTheRightOne
    ),
    RecordedWalk(
      title: "A code by mail, asked for twice",
      prepare: { backstage in
        for (method, path, json) in [
          (HTTPRequest.Method.post, "clock", #"{"set":"2026-11-20T17:55:00Z"}"#),
          (.post, "clock", #"{"freeze":true}"#),
          (.patch, "instance", #"{"resend_cooldown_seconds":45}"#),
          (.post, "faults", #"{"match":{"method":"GET","path":"/v1/redirect"},"fault":"timeout"}"#),
        ] { _ = try await backstage.call(method, path, json: json) }
      },
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "cody@example.com"])
        try await backstage.advanceClock(by: .seconds(46))
        try await browser.submit(form: "resend")
        let code = try await backstage.latestCode(to: "cody@example.com")
        try await browser.submit(["code": code])
      },
      exported: aCodeByMailAskedForTwice
    ),
    RecordedWalk(
      title: "A code from an authenticator app",
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "mia@example.com", "password": password])
        try await browser.submit(["code": "000000"])
        let code = try await backstage.authenticatorCode(of: "user_mia")
        try await browser.submit(["code": code])
      },
      exported: aCodeFromAnAuthenticatorApp
    ),
    RecordedWalk(
      title: "A password is reset",
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.open("/forgot-password")
        try await browser.submit(["identifier": "ada@example.com"])
        let code = try await backstage.latestCode(to: "ada@example.com")
        try await browser.submit(["code": code])
        try await browser.submit(["password": "short"])
        try await browser.submit(["password": newPassword])
      },
      exported: aPasswordIsReset
    ),
    RecordedWalk(
      title: "Signing up",
      walk: { browser, backstage in
        try await browser.open("/sign-up")
        let details = ["email_address": "una@example.com", "password": newPassword]
        try await browser.submit(details)
        try await browser.submit(["code": "111111"])
        let code = try await backstage.latestCode(to: "una@example.com")
        try await browser.submit(["code": code])
        try await browser.submit(form: "sign-out")
      },
      exported: signingUp
    ),
    RecordedWalk(
      title: "Backstage tidies up",
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "cody@example.com"])
        let mail = try await backstage.latestMessage(to: "cody@example.com")
        _ = try await backstage.call(.delete, "messages/\(mail.id)")
        let first = try await backstage.addFault(#"{"fault": "timeout"}"#)
        _ = try await backstage.addFault(
          #"{"match": {"path": "/v1/redirect"}, "fault": "reset"}"#
        )
        _ = try await backstage.call(.delete, "faults/\(first)")
        try await backstage.advanceClock(by: .seconds(31))
        try await browser.submit(form: "resend")
        let code = try await backstage.latestCode(to: "cody@example.com")
        for path in ["faults", "traces"] { _ = try await backstage.call(.delete, path) }
        try await browser.submit(["code": code])
        _ = try await backstage.call(.delete, "messages")
        try await browser.open("/account")
      },
      exported: backstageTidiesUp
    ),
    RecordedWalk(
      title: "Support makes an account and deletes another",
      prepare: { backstage in
        _ = try await backstage.call(.delete, "users/user_mia")
        let user = #"{"username": "quinn", "password": "\#(newPassword)"}"#
        _ = try await backstage.call(.post, "users", json: user)
      },
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "mia@example.com", "password": password])
        try await browser.submit(["identifier": "quinn", "password": newPassword])
        try await browser.submit(form: "sign-out")
        _ = try await backstage.call(.delete, "users/\(backstage.userID(of: "quinn"))")
        _ = try await backstage.call(.delete, "users/user_lou")
        try await browser.submit(["identifier": "quinn", "password": newPassword])
        let user = #"{"email_addresses": ["zoe@example.com"], "password": "\#(newPassword)"}"#
        _ = try await backstage.call(.post, "users", json: user)
        try await browser.submit(["identifier": "zoe@example.com", "password": newPassword])
      },
      exported: supportMakesAnAccountAndDeletesAnother
    ),
    RecordedWalk(
      title: "An invitation is followed",
      walk: { browser, backstage in
        _ = try await backstage.call(
          .post,
          "invitations",
          json: #"{"email_address": "una@example.com"}"#
        )
        try await browser.open(backstage.latestLink(to: "una@example.com"))
        try await browser.submit()
        try await browser.submit(["password": newPassword])
      },
      exported: anInvitationIsFollowed
    ),
    RecordedWalk(
      title: "A browser stands at a page",
      walk: { browser, backstage in
        try await browser.stand(at: "sign-up")
        try await browser.stand(at: "sign-in-code", "resent")
        try await browser.submit(["code": "000000"])
        let code = try await backstage.latestCode(to: "cody@example.com")
        try await browser.submit(["code": code])
      },
      exported: aBrowserStandsAtAPage
    ),
    asBrowsersSend,
  ]

  /// What a browser leaves out, and what it sends although it is empty.
  static let asBrowsersSend = RecordedWalk(
    title: "A box, an empty line and a brace",
    walk: { browser, backstage in
      try await browser.open("/sign-in")
      try await browser.submit(["identifier": "otto@example.com", "password": password])
      try await browser.open("/tasks/choose-organization?create")
      let empty = try await browser.submit()
      #expect(empty.step == "create")
      let name = #"{"Curly"} [{ \ & Co"#
      let taken = try await browser.submit([
        "organization_name": name, "organization_slug": "pine-street",
      ])
      #expect(taken.form?.field("organization_name")?.value == name)
      try await browser.submit(["organization_slug": "curly"])
      try await browser.submit(form: "sign-out")
      try await browser.open("/forgot-password")
      try await browser.submit(["identifier": "ada@example.com"])
      let code = try await backstage.latestCode(to: "ada@example.com")
      try await browser.submit(["code": code])
      try await browser.submit(["password": newPassword, "sign_out_of_other_sessions": ""])
    },
    exported: aBoxAnEmptyLineAndABrace
  )

  /// Records it in a world of its own.
  ///
  /// - Returns: Every form of the export, by the ending of its file.
  func record(in vestibule: TestVestibule) async throws -> [String: String] {
    let world = "recorded-\(UUID().uuidString.lowercased().prefix(8))"
    let browser = vestibule.session(world: world)
    let backstage = vestibule.backstage(world: world)
    try await prepare(backstage)
    try await before(browser)
    let id = try await browser.beginRecording(title)
    try await walk(browser, backstage)
    var exports: [String: String] = [:]
    for ending in ["sh", "swift", "py", "playwright.py", "story.json"] {
      let text = try await backstage.call(.get, "recordings/\(id).\(ending)")
      exports[ending] = String(decoding: text, as: UTF8.self)
    }
    return exports
  }
}

extension TestBackstage {
  /// - Returns: Its id.
  @discardableResult
  func addFault(_ json: String) async throws -> String {
    struct Added: Decodable { var id: String }
    return try JSONDecoder().decode(Added.self, from: try await call(.post, "faults", json: json))
      .id
  }
}

extension FormSession {
  func beginRecording(_ title: String = "") async throws -> String {
    struct Begun: Decodable { var id: String }
    let answer = try await sendJSON("/backstage/api/recordings", #"{"title":"\#(title)"}"#)
    return try JSONDecoder().decode(Begun.self, from: Data(answer.body)).id
  }
}
