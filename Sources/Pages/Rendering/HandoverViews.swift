import AuthFlow

/// What `partials/authenticator` asks for.
struct AuthenticatorView: TemplateView {
  enum Name: String, CaseIterable { case picture, groups, link }

  let secret: AuthenticatorSecret
  let link: LinkView?

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .picture: .view { QRCode($0.secret.address).map(Picture.init) }
    case .groups: .text { $0.secret.groups }
    case .link: .view { $0.link }
    }
  }

  struct Picture: TemplateView {
    enum Name: String, CaseIterable { case size, outline }

    let code: QRCode

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .size: .text { String($0.code.size) }
      case .outline: .text { $0.code.outline }
      }
    }
  }
}

/// What `partials/backup-codes` asks for.
struct BackupCodesView: TemplateView {
  enum Name: String, CaseIterable { case codes, link }

  let codes: BackupCodes
  let link: LinkView?

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .codes: .each { $0.codes.codes.map(Code.init) }
    case .link: .view { $0.link }
    }
  }

  struct Code: TemplateView {
    enum Name: String, CaseIterable { case text }

    let text: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .text: .text { $0.text }
      }
    }
  }
}
