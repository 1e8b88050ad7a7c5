import AuthFlow
import Foundation

/// What `partials/demo-bar` asks for: that the auth API is emulated, and the ways to its workbench.
struct EmulationView: TemplateView {
  enum Name: String, CaseIterable {
    case name, enlarged, inbox, count, faults, recording, traces, atlas, code, story
  }

  private let emulation: PageFrame.Emulation
  private let presentation: Presentation

  init(_ emulation: PageFrame.Emulation, above presentation: Presentation) {
    self.emulation = emulation
    self.presentation = presentation
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .name: .view { NameView(emulation: $0.emulation, wording: $0.presentation.wording) }
    case .enlarged: .flag { $0.emulation.isEnlarged }
    case .inbox: .text { $0.emulation.inboxPath }
    case .count: .text { String($0.emulation.news.messageCount) }
    case .faults:
      .view { view in
        let count = view.emulation.news.faultCount
        return count == 0 ? nil : FaultsView(count: count)
      }
    case .recording: .flag { $0.emulation.news.isRecorded }
    case .traces:
      .text { "/backstage/traces?visit=current&path=\($0.presentation.path)#page" }
    case .atlas: .text { Atlas.path(toStateLike: $0.presentation) }
    case .code:
      .view { view in
        view.code.map { CodeView(code: $0, wording: view.presentation.wording) }
      }
    case .story:
      .view { view in view.emulation.story.map { StoryView($0, below: view.presentation) } }
    }
  }

  /// The known code, unless only another message helps: the last code would be refused.
  private var code: PageFrame.Emulation.KnownCode? {
    presentation.needsNewMessage ? nil : emulation.news.code
  }

  /// Whose API and which world: the same on every page of the world.
  struct NameView: TemplateView {
    enum Name: String, CaseIterable { case words, world }

    let emulation: PageFrame.Emulation
    let wording: Wording

    var fragment: String? { "\(emulation.api)/\(emulation.world)" }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words:
        .text { $0.wording.text(.common(.pageEmulated, ["api": .text($0.emulation.api)])) }
      case .world: .text { $0.emulation.world }
      }
    }
  }

  struct FaultsView: TemplateView {
    enum Name: String, CaseIterable { case count }

    let count: Int

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .count: .text { String($0.count) }
      }
    }
  }

  struct CodeView: TemplateView {
    enum Name: String, CaseIterable { case digits, path, words, until }

    let code: PageFrame.Emulation.KnownCode
    let wording: Wording

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .digits: .text { $0.code.digits }
      case .path: .text { $0.code.path }
      case .until: .text { $0.code.worksUntil?.timestamp }
      case .words:
        .text { $0.wording.text(.common(.pageFillIn, ["code": .text($0.grouped)])) }
      }
    }

    /// The code in two halves of three or four digits, as codes are read aloud; others stay whole.
    private var grouped: String {
      let half = code.digits.count / 2
      guard code.digits.count.isMultiple(of: 2), (3...4).contains(half) else { return code.digits }
      return "\(code.digits.prefix(half))\u{A0}\(code.digits.suffix(half))"
    }
  }
}
