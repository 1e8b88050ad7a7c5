internal import AuthFlow
internal import HTTPExchange

/// How an auth API is asked what it is, before anybody signs in.
struct AuthAPISurvey: Sendable {
  /// What it has said of itself.
  struct Answer: Sendable {
    var heading: String
    var facts: [(name: String, value: String)]
    /// What these pages do not have of it, and do well without.
    var notes: [String] = []
    /// Why it would not serve these pages.
    var obstacles: [String] = []
  }

  let ask: @Sendable (any HTTPTransport) async throws(AuthError) -> Answer
  /// What a refusal of it means here.
  let obstacles: @Sendable (AuthError) -> [String]
}

extension String {
  /// Cut, and without what a terminal would act upon.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.prefix(200).map { scalar in
          scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format ? "?" : scalar
        }
      )
    )
  }
}

extension [String] {
  /// What a line says of a list.
  var listed: String { isEmpty ? "none" : map(\.printable).joined(separator: ", ") }
}
