import Assets
import AuthFlow
import Foundation
import Localization
import Testing
import TestSupport

@testable import Pages

/// What the tests of this room share.
enum Fixture {
  /// 21 November 2026, 14:23:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_795_270_980)

  static let sources = "\(ProjectFolder.root)/Sources"

  /// The project's own templates.
  static let templates = ProjectFolder.templates

  static func frame(
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    notices: [Notice] = [],
    now: Date = now
  ) -> PageFrame {
    PageFrame(
      error: error,
      refusal: refusal,
      notices: notices,
      reference: "reference-1",
      now: now,
      formToken: { "token-for-\($0.path)" }
    )
  }
}

/// One renderer for all tests: templates are read once.
let renderer = Result { try PageRenderer() }

extension PageExample {
  func html() throws -> HTML { try HTML(renderer.get().html(page, in: frame)) }

  func json() throws -> [String: Any] {
    let bytes = try renderer.get().json(page, in: frame)
    return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }
}

extension Fixture {
  /// The messages in every language.
  static let catalogues = Result {
    try Catalogues<PhraseKey>(.init(among: LayeredFiles(.templates)))
  }

  /// The messages in English.
  static let english = Result { try catalogues.get().english }
}

extension Phrase {
  /// The words in English, at the moment that all tests use.
  var inEnglish: String {
    let visitor = Visitor(reference: "", now: Fixture.now, timeZone: nil) { _ in "" }
    return (try? Fixture.english.get()).map { Wording($0, for: visitor).plainText(self) } ?? ""
  }
}

extension Times {
  init(now: Date, timeZone: TimeZone?) throws {
    self.init(now: now, timeZone: timeZone, catalogue: try Fixture.english.get())
  }
}
