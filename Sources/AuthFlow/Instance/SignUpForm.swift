/// What the sign-up page asks for, in the order of the page.
public struct SignUpForm: Hashable, Codable, Sendable {
  public enum Mode: Hashable, Codable, Sendable {
    case open
    case closed(Closure)
  }

  /// How people get an account where they cannot sign up by themselves.
  public enum Closure: String, Hashable, Codable, Sendable {
    /// By invitation.
    case restricted
    /// From a waiting list.
    case waitlist
  }

  public struct Entry: Hashable, Codable, Sendable {
    public var field: Field
    public var isRequired: Bool
    /// The auth API's label for a field of its own; nil where the pages know the field.
    public var label: String?
    /// The values to choose from; empty where any text may be entered.
    public var choices: [String]
    /// The auth API's name of an attribute, by which a file of words can have words for it; nil for
    /// a field that is none.
    public var attribute: String?
    /// What is known of the values; nil where any text may be entered, or one is chosen.
    public var format: Format?

    /// The choices of a field that is true or false.
    public static let truthValues = ["true", "false"]

    /// A form that all values of a field have.
    public enum Format: String, Hashable, Codable, Sendable {
      /// A whole number, which may be negative.
      case integer
      /// A whole number without a sign.
      case natural
    }

    public init(
      _ field: Field,
      isRequired: Bool,
      label: String? = nil,
      choices: [String] = [],
      attribute: String? = nil,
      format: Format? = nil
    ) {
      self.field = field
      self.isRequired = isRequired
      self.label = label
      self.choices = choices
      self.attribute = attribute
      self.format = format
    }
  }

  public var mode: Mode
  public var fields: [Entry]
  /// The documents that the terms checkbox accepts, in the order to name them.
  public var documents: [LegalDocument]

  public init(mode: Mode, fields: [Entry], documents: [LegalDocument] = []) {
    self.mode = mode
    self.fields = fields
    self.documents = documents
  }
}

/// One of the documents that people accept when they sign up.
public struct LegalDocument: Hashable, Codable, Sendable {
  public enum Kind: String, Hashable, Codable, Sendable {
    case terms
    case privacyPolicy = "privacy-policy"
  }

  public var kind: Kind
  /// Where it can be read.
  public var address: String

  public init(_ kind: Kind, address: String) {
    self.kind = kind
    self.address = address
  }
}
