import Foundation
import AuthFlow

/// What `layout.mustache` and the templates of the pages ask for.
struct PageView: TemplateView {
  enum Name: String, CaseIterable {
    case language, direction, title, page, step, flow, applicationName, emulation, banner, summary
    case notices, heading, lead, details, authenticator, backupCodes, main, choices, beside, resend,
      restart, signOut, links
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
    case .step: .text { $0.presentation.step }
    case .flow: .text { $0.presentation.flow?.rawValue }
    case .applicationName: .text { $0.presentation.frame.applicationName }
    case .emulation: .view { $0.presentation.frame.emulation.map(EmulationView.init) }
    case .banner: .view { BannerView($0.presentation) }
    case .summary: .view { SummaryView($0.presentation) }
    case .notices: .each { $0.presentation.notices.map(NoticeView.init) }
    case .now: .value { _ in .stamp(.now) }
    case .heading: .text { $0.presentation.content.heading }
    case .lead: .each { $0.presentation.content.lead.map(ProseView.init) }
    case .details: .each { $0.presentation.content.details.map(DetailView.init) }
    case .authenticator: .view(\.authenticator)
    case .backupCodes: .view(\.backupCodes)
    case .main: .view { $0.forms.first { $0.weight == .primary } }
    case .choices: .each { $0.forms.filter { $0.weight == .choice } }
    case .beside: .each { $0.forms.filter(\.isBeside) }
    case .resend: .view { $0.secondary("resend") }
    case .restart: .view { $0.secondary("restart") }
    case .signOut: .view { $0.secondary("sign-out") }
    case .links: .each { $0.presentation.ways.map(LinkView.init) }
    case .help: .view { $0.presentation.help.map(LinkView.init) }
    case .ends: .view { $0.ends.map(ProseView.init) }
    }
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
  enum Name: String, CaseIterable { case href, words, purpose, linkName = "name" }

  let link: Link

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .href: .text { $0.link.href }
    case .words: .text { $0.link.words }
    case .purpose: .text { $0.link.purpose }
    case .linkName: .text { $0.link.name }
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
