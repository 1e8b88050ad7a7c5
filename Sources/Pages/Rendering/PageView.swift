import AuthFlow
import Foundation
import Localization

/// What `layout.mustache` and the templates of the pages ask for.
///
/// A reference, since every section within a page carries the page around it.
final class PageView: TemplateView {
  enum Name: String, CaseIterable {
    case language, direction, title, page, refusedAt, step, flow, applicationName, emulation
    case banner, summary, notices, heading, sign, outcome, identity, identityForm, lead, details
    case supportDetails, sessions
    case authenticator, backupCodes, action, main, choices, beside, resend, restart, links, foot
    case help, ends, endsLater, now, look, languages
    case leadFocus, noticesFocus
  }

  private let presentation: Presentation
  private let forms: [FormView]
  private let choices: [FormView]
  private let lead: [LeadView]
  private let links: [LinkView]
  private let notices: [NoticeView]
  /// The id of the notices that take the focus when the page opens, if nothing is wrong and no
  /// field takes it.
  private let newsInFocus: String?

  init(_ presentation: Presentation) {
    self.presentation = presentation
    let wording = presentation.wording
    // A handed-over secret has to be visible: focus on a field would scroll it away.
    var focus = presentation.isFresh && presentation.content.handover == nil
    forms = presentation.content.forms.map { form in
      // Secondary forms never take the focus.
      let view = FormView(form, in: presentation, takesFocus: focus && form.weight == .primary)
      focus = focus && !form.fields.contains(where: \.isVisible)
      return view
    }
    choices = forms.filter { $0.weight == .choice }
    lead = LeadView.all(of: presentation)
    links = presentation.ways.filter { $0.place == .below }.map { LinkView($0, in: wording) }
    notices = presentation.otherNotices.map { notice, words in
      NoticeView(notice: notice, words: words, isRightToLeft: wording.isRightToLeft)
    }
    let isFilledIn = forms.contains(where: \.takesFocus)
    newsInFocus = presentation.isFresh && !isFilledIn ? presentation.newsIDs.first : nil
  }

  static func word(for name: Name) -> Word<PageView> {
    switch name {
    case .language: .text { $0.presentation.wording.language.text }
    case .direction: .text { $0.presentation.wording.language.direction.rawValue }
    case .title: .text { $0.presentation.title.isolatedText }
    case .page: .text { $0.presentation.page }
    case .refusedAt: .text { $0.presentation.refusedAt }
    case .step: .text { $0.presentation.step }
    case .flow: .text { $0.presentation.flow?.rawValue }
    case .applicationName: .text { $0.presentation.frame.applicationName }
    case .emulation:
      .view { view in
        view.presentation.frame.emulation.map { EmulationView($0, above: view.presentation) }
      }
    case .banner: .view { $0.outcome == nil ? BannerView($0.presentation) : nil }
    case .summary: .view { SummaryView($0.presentation) }
    case .notices: .each { $0.notices }
    case .noticesFocus: .flag { $0.newsInFocus == "notices" }
    case .leadFocus: .flag { $0.newsInFocus == "lead" }
    case .now: .value { _ in .stamp(.now) }
    case .heading: .text { $0.presentation.heading }
    case .sign: .view { $0.outcome.map { SignView(icon: Icon(for: $0)) } }
    case .outcome: .view { $0.outcome == nil ? nil : BannerView($0.presentation) }
    case .identity: .view { $0.identity }
    case .identityForm: .view { $0.identityForm }
    case .lead: .each { $0.lead }
    case .details:
      .each { view in
        view.presentation.content.details.map { DetailView(detail: $0, wording: view.wording) }
      }
    case .supportDetails:
      .each { view in
        view.presentation.content.supportDetails.map {
          DetailView(detail: $0, wording: view.wording)
        }
      }
    case .sessions: .view { $0.sessions }
    case .authenticator: .view { $0.authenticator }
    case .backupCodes: .view { $0.backupCodes }
    case .action: .view { $0.link { $0 == .action } }
    case .main: .view { $0.forms.first { $0.weight == .primary } }
    case .choices: .each { $0.choices }
    case .beside: .each { $0.forms.filter { $0.isBeside && $0.action != SessionListView.action } }
    case .resend: .view { $0.secondary("resend") }
    case .restart: .view { $0.identityForm == nil ? $0.secondary("restart") : nil }
    case .links: .each { $0.links }
    case .foot: .view { $0.foot }
    case .help: .view { view in view.presentation.help.map { LinkView($0, in: view.wording) } }
    case .look: .view { LookView(look: $0.presentation.frame.look, of: $0.presentation) }
    case .ends: .view { $0.end(isSoon: true) }
    case .endsLater: .view { $0.end(isSoon: false) }
    case .languages: .view { LanguageMenuView($0.presentation) }
    }
  }

  private var wording: Wording { presentation.wording }

  private var outcome: PageContent.Outcome? { presentation.content.outcome }

  private var identity: IdentityView? {
    presentation.content.identity.map { name in
      IdentityView(
        name: name,
        form: identityForm,
        link: link { $0 == .identity },
        isRightToLeft: wording.isRightToLeft
      )
    }
  }

  /// The form that changes the person that the page is about, if that takes a form.
  private var identityForm: FormView? {
    presentation.content.identity == nil ? nil : secondary("restart") ?? secondary("sign-out")
  }

  private func link(_ isThere: (Link.Place) -> Bool) -> LinkView? {
    presentation.ways.first { isThere($0.place) }.map { LinkView($0, in: wording) }
  }

  private var foot: FootView? {
    for link in presentation.ways {
      if case .foot(let question) = link.place {
        return FootView(question: wording.text(question), link: LinkView(link, in: wording))
      }
    }
    return nil
  }

  private var sessions: SessionListView? {
    presentation.content.sessions.map { list in
      SessionListView(
        list,
        link: link { $0 == .sessions },
        forms: forms,
        takesFocus: presentation.isFresh && newsInFocus == nil,
        in: wording
      )
    }
  }

  private var authenticator: AuthenticatorView? {
    guard case .authenticator(let secret)? = presentation.content.handover else { return nil }
    return AuthenticatorView(secret: secret, link: handoverLink)
  }

  private var backupCodes: BackupCodesView? {
    guard case .backupCodes(let codes, _)? = presentation.content.handover else { return nil }
    return BackupCodesView(codes: codes, link: handoverLink)
  }

  private var handoverLink: LinkView? {
    presentation.content.handover?.links.first.map { LinkView($0, in: wording) }
  }

  /// A form beside the main one.
  private func secondary(_ name: String) -> FormView? {
    forms.first { $0.id == name && $0.weight == .quiet }
  }

  /// The end of the attempt, if it is as soon as that.
  private func end(isSoon: Bool) -> ProseView? {
    guard let end = presentation.end, end.isSoon == isSoon else { return nil }
    return ProseView(end.words, in: wording)
  }
}

struct LinkView: TemplateView {
  enum Name: String, CaseIterable {
    case href, words, shortly, purpose, linkName = "name", describedBy
  }

  private let link: Link
  private let words: String
  private let shortly: String

  init(_ link: Link, words: String) {
    self.link = link
    self.words = words
    shortly = words
  }

  init(_ link: Link, in wording: Wording) {
    self.link = link
    words = wording.text(link.words)
    shortly = if case .beside(_, let words) = link.place { wording.text(words) } else { words }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .href: .value { $0.link.href }
    case .words: .text { $0.words }
    case .shortly: .text { $0.shortly }
    case .purpose: .text { $0.link.purpose }
    case .linkName: .text { $0.link.name }
    // Its own words do not say whose identity it changes.
    case .describedBy: .text { $0.link.place == .identity ? "identity" : nil }
    }
  }
}

/// The picture over the heading of a page that is one message.
struct SignView: TemplateView {
  enum Name: String, CaseIterable { case icon, outline }

  let icon: Icon

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .icon: .text { $0.icon.rawValue }
    case .outline: .text { $0.icon.outline }
    }
  }
}

/// The person that a step is about, and how to change that.
struct IdentityView: TemplateView {
  enum Name: String, CaseIterable {
    case initial, identityName = "name", account, host, form, link, rightToLeft
  }

  let name: String
  let form: FormView?
  let link: LinkView?
  let isRightToLeft: Bool

  /// Where an address goes on in another line, if one is too short for it.
  private var at: String.Index { name.firstIndex(of: "@") ?? name.endIndex }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .initial: .text { $0.name.first { $0.isLetter || $0.isNumber }?.uppercased() ?? "•" }
    case .identityName: .text { $0.name }
    case .account: .text { String($0.name[..<$0.at]) }
    case .host: .text { $0.at == $0.name.endIndex ? nil : String($0.name[$0.at...]) }
    case .form: .view { $0.form }
    case .link: .view { $0.link }
    case .rightToLeft: .flag { $0.isRightToLeft }
    }
  }
}

/// The foot of the card: a question, and where to go with it.
struct FootView: TemplateView {
  enum Name: String, CaseIterable { case question, link }

  let question: String
  let link: LinkView

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .question: .text { $0.question }
    case .link: .view { $0.link as LinkView? }
    }
  }
}

/// A paragraph under the heading; a notice if it has a code.
struct LeadView: TemplateView {
  enum Name: String, CaseIterable { case notice, prose }

  let notice: Notice?
  let prose: ProseView

  /// The notices in place of the lead, then the page's own paragraphs.
  static func all(of presentation: Presentation) -> [LeadView] {
    let wording = presentation.wording
    return presentation.leadNotices.map { notice, words in
      LeadView(notice: notice, prose: ProseView(words, isRightToLeft: wording.isRightToLeft))
    } + presentation.content.lead.map { LeadView(notice: nil, prose: ProseView($0, in: wording)) }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .notice: .text { $0.notice?.rawValue }
    case .prose: .view { $0.prose as ProseView? }
    }
  }
}

struct DetailView: TemplateView {
  enum Name: String, CaseIterable { case label, prose }

  let detail: PageContent.Detail
  let wording: Wording

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .label: .text { $0.wording.text($0.detail.label) }
    case .prose: .view { ProseView($0.detail.value, in: $0.wording) }
    }
  }
}

/// The menu of languages.
struct LanguageMenuView: TemplateView {
  enum Name: String, CaseIterable { case choices }

  private let menu: LanguageMenu
  private let path: String
  private let language: LanguageTag

  /// Nil where there is no choice.
  init?(_ presentation: Presentation) {
    guard let menu = presentation.frame.languageMenu, menu.languages.count > 1 else { return nil }
    self.menu = menu
    path = presentation.path
    language = presentation.wording.language
  }

  /// Other parameters of the address are arbitrary input, so they are not cached.
  var fragment: String? { menu.query.isEmpty ? path : nil }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .choices:
      .each { view in
        view.menu.languages.map { language in
          LanguageView(
            language: language,
            href: view.menu.address(of: language, for: view.path),
            isCurrent: language == view.language
          )
        }
      }
    }
  }
}

/// One language of the menu at the foot.
struct LanguageView: TemplateView {
  enum Name: String, CaseIterable { case href, tag, languageName = "name", current }

  let language: LanguageTag
  let href: String
  let isCurrent: Bool

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .href: .text { $0.href }
    case .tag: .text { $0.language.text }
    case .languageName: .text { $0.language.ownName }
    case .current: .flag { $0.isCurrent }
    }
  }
}
