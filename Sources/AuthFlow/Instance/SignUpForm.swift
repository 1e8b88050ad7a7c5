/// What the sign-up page asks for, in the order of the page.
public struct SignUpForm: Hashable, Codable, Sendable {
  public enum Mode: Hashable, Codable, Sendable {
    case open
    case closed(Closure)
  }

  /// How accounts are given where nobody can sign up by themselves.
  public enum Closure: String, Hashable, Codable, Sendable {
    /// By invitation.
    case restricted
    /// In turn.
    case waitlist
  }

  public struct Entry: Hashable, Codable, Sendable {
    public var field: Field
    public var isRequired: Bool
    /// What the auth API calls a field of its own, for people; nil where pages know the field.
    public var label: String?
    /// What may be entered, where it is one of a few; empty where it is free.
    public var choices: [String]

    /// The choices of what is either so or not.
    public static let truthValues = ["true", "false"]

    public init(_ field: Field, isRequired: Bool, label: String? = nil, choices: [String] = []) {
      self.field = field
      self.isRequired = isRequired
      self.label = label
      self.choices = choices
    }
  }

  public var mode: Mode
  public var fields: [Entry]
  /// What is accepted with the box of the terms, in the order to name it.
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
