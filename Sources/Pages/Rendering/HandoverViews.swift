import AuthFlow

/// What `partials/authenticator` asks for.
final class AuthenticatorView: TemplateView {
  enum Name: String, CaseIterable { case picture, groups, link }

  private let secret: AuthenticatorSecret
  private let links: [Link]

  init(_ secret: AuthenticatorSecret, links: [Link]) {
    self.secret = secret
    self.links = links
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .picture: .view(QRCode(secret.address).map(Picture.init))
    case .groups: .text(secret.groups)
    case .link: .view(links.first.map(LinkView.init))
    }
  }

  final class Picture: TemplateView {
    enum Name: String, CaseIterable { case size, outline }

    private let code: QRCode

    init(_ code: QRCode) { self.code = code }

    func value(of name: Name) -> TemplateValue {
      switch name {
      case .size: .text(String(code.size))
      case .outline: .text(code.outline)
      }
    }
  }
}

/// What `partials/backup-codes` asks for.
final class BackupCodesView: TemplateView {
  enum Name: String, CaseIterable { case codes, link }

  private let codes: BackupCodes
  private let links: [Link]

  init(_ codes: BackupCodes, links: [Link]) {
    self.codes = codes
    self.links = links
  }

  func value(of name: Name) -> TemplateValue {
    switch name {
    case .codes: .list(codes.codes.map(Code.init))
    case .link: .view(links.first.map(LinkView.init))
    }
  }

  final class Code: TemplateView {
    enum Name: String, CaseIterable { case text }

    private let text: String

    init(_ text: String) { self.text = text }

    func value(of name: Name) -> TemplateValue {
      switch name {
      case .text: .text(text)
      }
    }
  }
}
