/// A rule that a page breaks, worded for the author of its templates.
struct Finding: Hashable {
  let rule: String
  let words: String

  /// - Parameters:
  ///   - rule: A rule of CONTRIBUTING.md, such as `F1`; or `hook`, for attributes that programs
  ///     rely on, `HTML` or `CSS`, for what is not well formed, or `words`, for syntax that is shown
  ///     as text.
  ///   - words: What is wrong.
  init(_ rule: String, _ words: String) {
    self.rule = rule
    self.words = words
  }

  /// Whether it is about the text of a template rather than a page, so that it is reported once for
  /// all pages that show it.
  var isOfText: Bool { rule == "HTML" || rule == "words" }

  /// Whether a finding on the same page in another language is the same one: one about the title
  /// quotes it.
  func isLike(_ other: Finding) -> Bool { self == other || rule == "R5" && other.rule == rule }
}

/// Checks of one rendered page that apply whatever its templates look like.
struct Inspection {
  let html: HTML
  let presentation: Presentation
  let assets: ServedFiles

  /// What does not hold on this page.
  var findings: [Finding] {
    document + title + sources + words + references + forms + names + fieldMessages
      + generalMessages
  }
}
