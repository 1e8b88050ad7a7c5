import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// A walk that is recorded, and what was exported of it.
struct RecordedWalk: Sendable, CustomTestStringConvertible {
  /// A password of which every form has something to quote.
  static let quotable = #"it's "$HOME" `id` \n \(1) %41&+= ä-Ω-日本 #{x}"#
  static let newPassword = "quiet-harbour-77-lamps"

  let title: String
  /// Changes the world before the recording begins.
  var prepare: @Sendable (TestBackstage) async throws -> Void = { _ in }
  let walk: @Sendable (FormSession, TestBackstage) async throws -> Void
  /// The function that the export as Swift has become.
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
          (.post, "faults", #"{"match":{"method":"GET","path":"/nowhere"},"fault":"timeout"}"#),
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
  ]

  /// Records it in a world of its own.
  ///
  /// - Returns: Every form of the export, by the ending of its file.
  func record(in vestibule: TestVestibule) async throws -> [String: String] {
    let world = "recorded-\(UUID().uuidString.lowercased().prefix(8))"
    let browser = vestibule.session(world: world)
    let backstage = vestibule.backstage(world: world)
    try await prepare(backstage)
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

extension FormSession {
  func beginRecording(_ title: String = "") async throws -> String {
    struct Begun: Decodable { var id: String }
    let answer = try await sendJSON("/backstage/api/recordings", #"{"title":"\#(title)"}"#)
    return try JSONDecoder().decode(Begun.self, from: Data(answer.body)).id
  }
}
