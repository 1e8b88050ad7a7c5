import Foundation
import AuthFlow

/// What `layout.mustache` and the templates of the pages ask for.
final class PageView: TemplateView {
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

  func value(of name: Name) -> TemplateValue {
    let content = presentation.content
    switch name {
    case .language: return .text("en")
    case .direction: return .text("ltr")
    case .title: return .text(presentation.title)
    case .page: return .text(presentation.page)
    case .step: return .text(presentation.step)
    case .flow: return .text(presentation.flow?.rawValue)
    case .applicationName: return .text(presentation.frame.applicationName)
    case .emulation: return .view(presentation.frame.emulation.map(EmulationView.init))
    case .banner: return .view(BannerView(presentation))
    case .summary: return .view(SummaryView(presentation))
    case .notices:
      return .list(presentation.notices.map { NoticeView($0.notice, $0.words) })
    case .now: return .text(presentation.frame.now.timestamp)
    case .heading: return .text(content.heading)
    case .lead: return .list(content.lead.map(ProseView.init))
    case .details: return .list(content.details.map(DetailView.init))
    case .authenticator:
      guard case .authenticator(let secret)? = content.handover else { return .view(nil) }
      return .view(AuthenticatorView(secret, links: content.handover?.links ?? []))
    case .backupCodes:
      guard case .backupCodes(let codes, _)? = content.handover else { return .view(nil) }
      return .view(BackupCodesView(codes, links: content.handover?.links ?? []))
    case .main: return .view(forms.first { $0.form.weight == .primary })
    case .choices: return .list(forms.filter { $0.form.weight == .choice })
    case .beside: return .list(forms.filter(\.isBeside))
    case .resend: return .view(secondary("resend"))
    case .restart: return .view(secondary("restart"))
    case .signOut: return .view(secondary("sign-out"))
    case .links: return .list(presentation.ways.map(LinkView.init))
    case .help:
      return .view(presentation.frame.supportAddress.flatMap(Link.help).map(LinkView.init))
    case .ends: return .view(ends.map(ProseView.init))
    }
  }

  /// A form beside the main one.
  private func secondary(_ name: String) -> FormView? {
    forms.first { $0.form.name == name && $0.form.weight == .quiet }
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

final class EmulationView: TemplateView {
  enum Name: String, CaseIterable { case api, world }

  private let emulation: PageFrame.Emulation

  init(_ emulation: PageFrame.Emulation) { self.emulation = emulation }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .api: .text(emulation.api)
    case .world: .text(emulation.world)
    }
  }
}

final class LinkView: TemplateView {
  enum Name: String, CaseIterable { case href, words, purpose, linkName = "name" }

  private let link: Link

  init(_ link: Link) { self.link = link }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .href: .text(link.href)
    case .words: .text(link.words)
    case .purpose: .text(link.purpose)
    case .linkName: .text(link.name)
    }
  }
}

final class DetailView: TemplateView {
  enum Name: String, CaseIterable { case label, prose }

  private let detail: PageContent.Detail

  init(_ detail: PageContent.Detail) { self.detail = detail }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .label: .text(detail.label)
    case .prose: .view(ProseView(detail.value))
    }
  }
}
