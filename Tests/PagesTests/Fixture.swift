import AuthFlow
import Foundation
import Testing
import TestSupport

@testable import Pages

/// What the tests of this room share.
enum Fixture {
  /// 21 November 2026, 14:23:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_795_270_980)

  /// The project's own templates.
  static let templates = ProjectFolder.templates

  static func frame(
    error: AuthError? = nil,
    refusal: Refusal? = nil,
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
let renderer = Result { try PageRenderer(templates: Fixture.templates) }

extension PageExample {
  func html() throws -> HTML { try HTML(renderer.get().html(page, in: frame)) }

  func json() throws -> [String: Any] {
    let bytes = try renderer.get().json(page, in: frame)
    return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }
}
