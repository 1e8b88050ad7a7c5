public import AuthFlow

/// A link on a page.
public struct Link: Hashable, Sendable {
  public var name: String
  var href: Value
  public var words: Phrase
  /// Its purpose in machine-readable form.
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

  /// The link with the typed text as that parameter of its address.
  func carrying(_ typed: TypedText?, to address: Address, as parameter: String) -> Link {
    guard let typed, !typed.isEmpty else { return self }
    var link = self
    link.href = .stamp(.addressCarryingTyped(address, as: parameter))
    return link
  }

  /// The address if it is on the web and leads where it seems to.
  ///
  /// Nil for `javascript:` and the like, for one with a user name, which could pass for a host, and
  /// for one with invisible characters or a backslash.
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
  /// Whether it is neither white space nor a control, such as one for the writing direction.
  var isSeen: Bool {
    switch properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}
