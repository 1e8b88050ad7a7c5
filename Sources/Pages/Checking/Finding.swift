/// A rule that a page breaks, in words for whoever writes its templates.
struct Finding: Hashable {
  let rule: String
  let words: String

  /// - Parameters:
  ///   - rule: As CONTRIBUTING.md lists them, such as `F1`; or `hook`, for what programs go by, `HTML`, for what
  ///     is not well formed, and `words`, for what was to be no words.
  ///   - words: What is wrong.
  init(_ rule: String, _ words: String) {
    self.rule = rule
    self.words = words
  }

  /// Whether it is about the text of a template rather than about a page: told once for all that show it.
  var isOfText: Bool { rule == "HTML" || rule == "words" }
}

/// What holds for every page, whatever its templates look like.
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
