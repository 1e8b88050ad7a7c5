import AuthFlow
import Localization

/// What `partials/story` asks for: the step of a story that is next, and the ways through it.
struct StoryView: TemplateView {
  enum Name: String, CaseIterable {
    case title, place, astray, browser, sentence, form, step, moves, over
  }

  private let story: PageFrame.Emulation.ToldStory
  private let presentation: Presentation

  init(_ story: PageFrame.Emulation.ToldStory, below presentation: Presentation) {
    self.story = story
    self.presentation = presentation
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .title: .text { $0.story.title }
    case .place: .text { $0.place }
    case .astray: .flag { $0.story.isAstray }
    case .browser: .text { $0.story.browser }
    case .sentence: .text { $0.story.sentence }
    case .form: .text { $0.form }
    case .step: .text { String($0.story.done) }
    case .moves: .each { $0.moves }
    case .over: .flag { $0.story.next == .end }
    }
  }

  private var place: String {
    guard story.done < story.count else { return presentation.wording.text(.common(.storyEnd)) }
    return presentation.wording.text(
      .common(
        .storyPlace,
        ["number": .text(String(story.done + 1)), "count": .text(String(story.count))]
      )
    )
  }

  /// The form of this page that takes the next step; nil where it is another page's, or none.
  private var form: String? {
    guard case .form(let name, let page) = story.next, page == presentation.page else { return nil }
    let names = presentation.content.forms.map(\.name)
    return name.map { name in names.first { $0 == name } } ?? names.first
  }

  private var moves: [MoveView] {
    var moves: [MoveView] = []
    func add(_ action: String, to step: Int, _ words: CommonPhrase) {
      moves.append(
        MoveView(
          action: action,
          step: step,
          token: story.token,
          words: presentation.wording.text(.common(words))
        )
      )
    }
    if story.done > 0 { add("stand", to: story.done - 1, .storyBack) }
    switch story.next {
    case .form where form == nil || story.isAstray: add("stand", to: story.done, .storyReturn)
    case .call:
      if story.isAstray { add("stand", to: story.done, .storyReturn) }
      add("next", to: story.done, .storyNext)
    case .form, .end: break
    }
    return moves
  }

  struct MoveView: TemplateView {
    enum Name: String, CaseIterable { case action, step, token, words }

    let action: String
    let step: Int
    let token: String
    let words: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .action: .text { $0.action }
      case .step: .text { String($0.step) }
      case .token: .text { $0.token }
      case .words: .text { $0.words }
      }
    }
  }
}
