public import AuthFlow
public import Foundation

/// One form of one purpose (R7).
public struct Form: Hashable, Sendable {
  /// How much its button stands out.
  public enum Weight: String, Sendable {
    /// What the page is for.
    case primary
    /// One of several equal ways.
    case choice
    /// Something else that may be done.
    case quiet
  }

  /// The form's `id`.
  public var name: String
  /// Where it is posted to; its anti-forgery token is bound to this.
  public var action: Address
  public var fields: [FormField]
  /// The words on its button.
  public var button: String
  public var weight: Weight
  /// What it does, for machines; nil for a main form.
  public var purpose: String?
  /// From when on it may be used; nil where that is now.
  public var availableAt: Date?

  public init(
    _ name: String,
    action: Address,
    fields: [FormField] = [],
    button: String,
    weight: Weight = .primary,
    purpose: String? = nil,
    availableAt: Date? = nil
  ) {
    self.name = name
    self.action = action
    self.fields = fields
    self.button = button
    self.weight = weight
    self.purpose = purpose
    self.availableAt = availableAt
  }
}

/// Something else to go to.
public struct Link: Hashable, Sendable {
  public var name: String
  public var href: String
  public var words: String
  /// What it does, for machines.
  public var purpose: String?

  public init(_ name: String, href: String, words: String, purpose: String? = nil) {
    self.name = name
    self.href = href
    self.words = words
    self.purpose = purpose
  }

  /// The address where it is one of the web: a `javascript:` address is no link.
  static func webAddress(_ address: String) -> String? {
    let start = address.prefix(8).lowercased()
    return start == "https://" || start.hasPrefix("http://") ? address : nil
  }
}

/// What a page shows, apart from its frame.
public struct PageContent: Sendable {
  public var heading: String
  /// Paragraphs under the heading.
  public var lead: [Prose]
  /// What is known, as names and values.
  public var details: [Detail]
  /// What is handed over here and nowhere else.
  public var handover: Handover?
  /// The main one first.
  public var forms: [Form]
  public var links: [Link]
  /// What the twin tells besides.
  public var facts: [JSONValue.Member]
  /// When the attempt ends that the page belongs to (N6).
  public var endsAt: Date?
  /// Refusals that belong to the page rather than to the last request.
  public var concerns: [Concern]
  /// Whether the page is the error itself, so that its title is not marked (R5).
  public var isErrorItself: Bool
  /// What the words of messages depend on.
  public var setting: Setting

  public init(
    heading: String,
    lead: [Prose] = [],
    details: [Detail] = [],
    handover: Handover? = nil,
    forms: [Form] = [],
    links: [Link] = [],
    facts: [JSONValue.Member] = [],
    endsAt: Date? = nil,
    concerns: [Concern] = [],
    isErrorItself: Bool = false,
    setting: Setting = Setting()
  ) {
    self.heading = heading
    self.lead = lead
    self.details = details
    self.handover = handover
    self.forms = forms
    self.links = links
    self.facts = facts
    self.endsAt = endsAt
    self.concerns = concerns
    self.isErrorItself = isErrorItself
    self.setting = setting
  }

  public struct Detail: Sendable {
    public var label: String
    public var value: Prose

    public init(_ label: String, _ value: Prose) {
      self.label = label
      self.value = value
    }
  }

  public enum Concern: Sendable {
    case error(AuthError)
    case refusal(Refusal)
  }
}

/// What the words of a message depend on, besides its reason.
public struct Setting: Sendable {
  /// What may be typed as identifier.
  public var identifiers: [Identifier.Kind]
  /// What was typed as identifier, or names the person.
  public var identifier: String?
  /// What was typed elsewhere, never a secret.
  public var values: [Field: String]
  /// What fields are called that the auth API names itself.
  public var labels: [Field: String]
  public var asksForBackupCode: Bool
  public var offersOtherMethods: Bool
  public var offersSignUp: Bool
  public var resetsPassword: Bool
  /// Whether a link was sent rather than a code.
  public var sendsLink: Bool
  /// Where a code went.
  public var destination: String?

  public init(
    identifiers: [Identifier.Kind] = [.emailAddress],
    identifier: String? = nil,
    values: [Field: String] = [:],
    labels: [Field: String] = [:],
    asksForBackupCode: Bool = false,
    offersOtherMethods: Bool = false,
    offersSignUp: Bool = false,
    resetsPassword: Bool = false,
    sendsLink: Bool = false,
    destination: String? = nil
  ) {
    self.identifiers = identifiers
    self.identifier = identifier
    self.values = values
    self.labels = labels
    self.asksForBackupCode = asksForBackupCode
    self.offersOtherMethods = offersOtherMethods
    self.offersSignUp = offersSignUp
    self.resetsPassword = resetsPassword
    self.sendsLink = sendsLink
    self.destination = destination
  }
}
