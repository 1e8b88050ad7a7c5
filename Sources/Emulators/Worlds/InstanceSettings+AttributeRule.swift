extension InstanceSettings {
  /// An attribute that an Entra sign-up asks for, with the rule for its value.
  ///
  /// Source: Microsoft, native authentication API reference, "User attributes".
  public struct AttributeRule: Sendable, Hashable {
    /// The form that the value, always sent as text, must have.
    public enum Kind: String, Sendable, CaseIterable {
      case string, boolean, integer, int
    }

    /// Further conditions on the value.
    public struct Options: Sendable, Hashable {
      /// A regular expression that must match somewhere in the value; nil allows any value.
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
