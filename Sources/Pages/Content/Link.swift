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

  /// The address where it is one of the web: a `javascript:` address is no link.
  static func webAddress(_ address: String) -> String? {
    let start = address.prefix(8).lowercased()
    return start == "https://" || start.hasPrefix("http://") ? address : nil
  }
}
