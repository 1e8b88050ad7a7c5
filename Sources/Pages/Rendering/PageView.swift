import Foundation
import AuthFlow

/// What `layout.mustache` and the templates of the pages ask for.
struct PageView: TemplateView {
  enum Name: String, CaseIterable {
    case language, direction, title, page, refusedAt, step, flow, applicationName, emulation
    case banner, summary, notices, heading, sign, outcome, identity, identityForm, lead, details
    case authenticator, backupCodes, action, main, choices, beside, resend, restart, links, foot
    case help, ends, now
  }

  private let presentation: Presentation
  private let forms: [FormView]

  init(_ presentation: Presentation) {
    self.presentation = presentation
    var focus = presentation.isFresh
    forms = presentation.content.forms.map { form in
      // Beside the main form nothing waits to be filled in.
      let view = FormView(form, in: presentation, takesFocus: focus && form.weight == .primary)
      focus = focus && !form.fields.contains(where: \.isVisible)
      return view
    }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .language: .text { _ in "en" }
    case .direction: .text { _ in "ltr" }
    case .title: .text { $0.presentation.title }
    case .page: .text { $0.presentation.page }
    case .refusedAt: .text { $0.presentation.refusedAt }
    case .step: .text { $0.presentation.step }
    case .flow: .text { $0.presentation.flow?.rawValue }
    case .applicationName: .text { $0.presentation.frame.applicationName }
    case .emulation: .view { $0.presentation.frame.emulation.map(EmulationView.init) }
    case .banner: .view { $0.outcome == nil ? BannerView($0.presentation) : nil }
    case .summary: .view { SummaryView($0.presentation) }
    case .notices: .each { $0.presentation.otherNotices.map(NoticeView.init) }
    case .now: .value { _ in .stamp(.now) }
    case .heading: .text { $0.presentation.content.heading }
    case .sign: .view { $0.outcome.map { SignView(icon: Icon(for: $0)) } }
    case .outcome: .view { $0.outcome == nil ? nil : BannerView($0.presentation) }
    case .identity: .view(\.identity)
    case .identityForm: .view(\.identityForm)
    case .lead: .each { LeadView.all(of: $0.presentation) }
    case .details: .each { $0.presentation.content.details.map(DetailView.init) }
    case .authenticator: .view(\.authenticator)
    case .backupCodes: .view(\.backupCodes)
    case .action: .view { $0.link { $0 == .action } }
    case .main: .view { $0.forms.first { $0.weight == .primary } }
    case .choices: .each { $0.forms.filter { $0.weight == .choice } }
    case .beside: .each { $0.forms.filter(\.isBeside) }
    case .resend: .view { $0.secondary("resend") }
    case .restart: .view { $0.identityForm == nil ? $0.secondary("restart") : nil }
    case .links: .each { $0.presentation.ways.filter { $0.place == .below }.map(LinkView.init) }
    case .foot: .view(\.foot)
    case .help: .view { $0.presentation.help.map(LinkView.init) }
    case .ends: .view { $0.ends.map(ProseView.init) }
    }
  }

  private var outcome: PageContent.Outcome? { presentation.content.outcome }

  private var identity: IdentityView? {
    presentation.content.identity.map { name in
      IdentityView(name: name, form: identityForm, link: link { $0 == .identity })
    }
  }

  /// What changes whom the page is about, where that takes a form.
  private var identityForm: FormView? {
    presentation.content.identity == nil ? nil : secondary("restart") ?? secondary("sign-out")
  }

  private func link(_ isThere: (Link.Place) -> Bool) -> LinkView? {
    presentation.ways.first { isThere($0.place) }.map(LinkView.init)
  }

  private var foot: FootView? {
    for link in presentation.ways {
      if case .foot(let question) = link.place { return FootView(question: question, link: link) }
    }
    return nil
  }

  private var authenticator: AuthenticatorView? {
    guard case .authenticator(let secret)? = presentation.content.handover else { return nil }
    return AuthenticatorView(secret: secret, links: presentation.content.handover?.links ?? [])
  }

  private var backupCodes: BackupCodesView? {
    guard case .backupCodes(let codes, _)? = presentation.content.handover else { return nil }
    return BackupCodesView(codes: codes, links: presentation.content.handover?.links ?? [])
  }

  /// A form beside the main one.
  private func secondary(_ name: String) -> FormView? {
    forms.first { $0.id == name && $0.weight == .quiet }
  }

  /// How long before its end a page says so, in seconds (N6).
  private static let lastCall = 600.0

  /// Until when the attempt can be gone on with, once that is soon (N6).
  private var ends: Prose? {
    guard let endsAt = presentation.content.endsAt,
      (0...Self.lastCall).contains(endsAt.timeIntervalSince(presentation.frame.now))
    else { return nil }
    return "This page works \(presentation.times.until(endsAt))."
  }
}

struct EmulationView: TemplateView {
  enum Name: String, CaseIterable { case api, world }

  let emulation: PageFrame.Emulation

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .api: .text { $0.emulation.api }
    case .world: .text { $0.emulation.world }
    }
  }
}

struct LinkView: TemplateView {
  enum Name: String, CaseIterable { case href, words, shortly, purpose, linkName = "name" }

  let link: Link

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .href: .text { $0.link.href }
    case .words: .text { $0.link.words }
    case .shortly:
      .text { if case .beside(_, let words) = $0.link.place { words } else { $0.link.words } }
    case .purpose: .text { $0.link.purpose }
    case .linkName: .text { $0.link.name }
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

/// Whom a step is about, and the way to change that.
struct IdentityView: TemplateView {
  enum Name: String, CaseIterable { case initial, identityName = "name", form, link }

  let name: String
  let form: FormView?
  let link: LinkView?

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .initial: .text { $0.name.first { $0.isLetter || $0.isNumber }?.uppercased() ?? "•" }
    case .identityName: .text(\.name)
    case .form: .view(\.form)
    case .link: .view(\.link)
    }
  }
}

/// The foot of the card: a question, and where to go with it.
struct FootView: TemplateView {
  enum Name: String, CaseIterable { case question, link }

  let question: String
  let link: Link

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .question: .text(\.question)
    case .link: .view { LinkView(link: $0.link) }
    }
  }
}

/// A paragraph under the heading; news where it has a code.
struct LeadView: TemplateView {
  enum Name: String, CaseIterable { case notice, prose }

  let notice: Notice?
  let prose: Prose

  /// The news first that stands in the lead's place.
  static func all(of presentation: Presentation) -> [LeadView] {
    presentation.leadNotices.map { LeadView(notice: $0.notice, prose: $0.words) }
      + presentation.content.lead.map { LeadView(notice: nil, prose: $0) }
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .notice: .text { $0.notice?.rawValue }
    case .prose: .view { ProseView(prose: $0.prose) }
    }
  }
}

struct DetailView: TemplateView {
  enum Name: String, CaseIterable { case label, prose }

  let detail: PageContent.Detail

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .label: .text { $0.detail.label }
    case .prose: .view { ProseView(prose: $0.detail.value) }
    }
  }
}
