public import AuthFlow

/// Something else to go to.
public struct Link: Hashable, Sendable {
  public var name: String
  var href: Value
  public var words: Phrase
  /// What it does, for machines.
  public var purpose: String?
  public var place: Place

  /// Where on the page it stands.
  public enum Place: Hashable, Sendable {
    /// Among the other ways, below the forms.
    case below
    /// As a button: what the page is for.
    case action
    /// On the line of a field's label, in fewer words.
    case beside(Field, shortly: Phrase)
    /// At the foot of the card, after a question.
    case foot(Phrase)
    /// With the identity that it changes.
    case identity
    /// With the person's sessions.
    case sessions
  }

  /// The same link elsewhere on the page.
  func at(_ place: Place) -> Link {
    var link = self
    link.place = place
    return link
  }

  public init(
    _ name: String,
    href: String,
    words: Phrase,
    purpose: String? = nil,
    place: Place = .below
  ) {
    self.name = name
    self.href = .text(href)
    self.words = words
    self.purpose = purpose
    self.place = place
  }

  /// The same link with what was typed as that parameter of its address.
  func carrying(_ typed: TypedText?, to address: Address, as parameter: String) -> Link {
    guard let typed, !typed.isEmpty else { return self }
    var link = self
    link.href = .stamp(.addressCarryingTyped(address, as: parameter))
    return link
  }

  /// The address where it is one of the web, and leads where it seems to: a `javascript:` address is no link, nor is
  /// one with the name of a user, which looks like a host, or with what nobody sees.
  static func webAddress(_ address: String) -> String? {
    let start = address.prefix(8).lowercased()
    guard let scheme = ["https://", "http://"].first(where: start.hasPrefix),
      address.unicodeScalars.allSatisfy({ $0.isSeen && $0 != "\\" })
    else { return nil }
    let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return authority.isEmpty || authority.unicodeScalars.contains("@") ? nil : address
  }
}

extension Unicode.Scalar {
  /// Whether it is neither a blank nor a control, of writing's direction for one.
  fileprivate var isSeen: Bool {
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
