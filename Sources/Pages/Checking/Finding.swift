/// A rule that a page breaks, in words for whoever writes its templates.
struct Finding: Hashable {
  let rule: String
  let words: String

  /// - Parameters:
  ///   - rule: As CONTRIBUTING.md lists them, such as `F1`; or `hook`, for what programs go by.
  ///   - words: What is wrong.
  init(_ rule: String, _ words: String) {
    self.rule = rule
    self.words = words
  }
}

/// What holds for every page, whatever its templates look like.
struct Inspection {
  let html: HTML
  let presentation: Presentation
  /// The addresses of all static files.
  let assets: Set<String>

  /// What does not hold on this page.
  var findings: [Finding] {
    document + title + sources + references + forms + names + fieldMessages
      + generalMessages
  }
}
