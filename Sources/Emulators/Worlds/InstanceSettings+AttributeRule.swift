extension InstanceSettings {
  /// An attribute that a sign-up over Entra asks for, and what it may be.
  ///
  /// Source: Microsoft, native authentication API reference, "User attributes".
  public struct AttributeRule: Sendable, Hashable {
    /// What its value, which is always a text, has to be.
    public enum Kind: String, Sendable, CaseIterable {
      case string, boolean, integer, int
    }

    /// What else the value has to be.
    public struct Options: Sendable, Hashable {
      /// A regular expression that the value has to have a match of; nil where any will do.
      public var regex: String?

      public init(regex: String? = nil) { self.regex = regex }
    }

    /// As on the wire, such as `postalCode`.
    public var name: String
    public var kind: Kind
    public var isRequired: Bool
    public var options: Options?

    public init(
      name: String,
      kind: Kind = .string,
      isRequired: Bool = true,
      options: Options? = nil
    ) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
      self.options = options
    }
  }
}
