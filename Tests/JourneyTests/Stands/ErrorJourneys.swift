import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("The errors that an API is known to give", .inTurn)
struct ErrorJourneys {
  private struct Row: Decodable {
    struct Placement: Decodable {
      var page: String
      var field: String?
      var status: Int
    }
    struct Provoke: Decodable {
      struct Stand: Decodable { var page, state: String }
      var stand: Stand
      var submit: [String: String]
    }
    var code: String
    var status: Int
    var words: String?
    var placement: Placement?
    var provoke: Provoke
  }

  private static let apis = [Stage.inProcess, Stage(place: .inProcess, api: .entra)]

  @Test("each has the words and the place that the pages gave it", arguments: apis)
  func rows(stage: Stage) async throws {
    try await stage.play { scene in
      let rows = try JSONDecoder().decode(
        [Row].self,
        from: await scene.backstage.call(.get, "errors")
      )
      #expect(rows.count == (stage.api == .clerk ? 207 : 71))
      let told = rows.filter { $0.words != nil }
      // A few only lead to another page.
      #expect(told.count > rows.count * 9 / 10, "\(rows.filter { $0.words == nil }.map(\.code))")
      #expect(told.allSatisfy { $0.placement != nil })
      let wrong = rows.filter { ["form_password_incorrect", "invalid_grant"].contains($0.code) }
      #expect(
        wrong.contains { $0.placement?.page == "sign-in" && $0.placement?.field == "password" }
      )
      // The list is read long after it was made: a time would be out of date.
      let soon = rows.first { $0.code == "verification_code_too_many_requests" }
      if stage.api == .clerk { #expect(soon?.words?.hasSuffix(" {time}") == true) }
      #expect(rows.allSatisfy { $0.words?.contains("UTC") != true })
      let worlds = try await scene.backstage.call(.get, "worlds")
      #expect(!String(decoding: worlds, as: UTF8.self).contains("errors-"))
    }
  }

  @Test("words that are edited while files are watched are the list's words, too")
  func editedWords() async throws {
    try await withTemporaryFolder { folder in
      let messages = "\(folder)/messages"
      try FileManager.default.createDirectory(
        atPath: messages,
        withIntermediateDirectories: true
      )
      var configuration = Configuration()
      configuration.templates = folder
      configuration.reloadsTemplates = true
      let backstage = try TestVestibule(configuration).recordedBackstage(world: "main")
      for words in ["Wrong.", "Not quite."] {
        try #"{"reason.code-incorrect": "\#(words)"}"#
          .write(toFile: "\(messages)/en.json", atomically: true, encoding: .utf8)
        let rows = try JSONDecoder().decode([Row].self, from: await backstage.call(.get, "errors"))
        let told = rows.filter { $0.code == "form_code_incorrect" }.compactMap(\.words)
        #expect(!told.isEmpty && told.allSatisfy { $0 == words }, "\(told)")
      }
    }
  }

  @Test("one press takes the browser to a form, which is refused", arguments: apis)
  func provoked(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let html = try await browser.send(.get, "/backstage/errors", fields: [.accept: "text/html"])
      let page = String(decoding: html.body, as: UTF8.self)
      let token = try #require(page.firstMatch(of: #/name="form_token" value="([^"]*)"/#)).output.1
      let id = stage.either(
        "form_code_incorrect",
        entra: "invalid_grant/invalid_oob_value 50181 at oauth2/token"
      )
      let sent = try await browser.send(
        .post,
        "/backstage/errors",
        body: ["form_token": String(token), "action": "provoke", "id": id]
      )
      #expect(sent.headerFields[.location] == "/backstage/errors")
      let shown = try await browser.send(.get, "/backstage/errors", fields: [.accept: "text/html"])
      #expect(
        String(decoding: shown.body, as: UTF8.self)
          .contains(#"Send the form at <a href="/sign-in/code">/sign-in/code</a>: it is refused"#)
      )
      try await browser.open("/sign-in/code")
      let refused = try await browser.submit(["code": stage.either("424242", entra: "42424242")])
      #expect(refused.status == 422)
      #expect(!refused.errorCodes(at: "code").isEmpty)
    }
  }
}
