/// What a person filled in.
public struct SignUpDetails: Hashable, Sendable {
  /// Cleaned values by field; what was left empty is absent.
  public var values: [Field: String]
  public var password: Password?
  /// Nil where the page does not ask.
  public var acceptsTerms: Bool?

  public init(
    values: [Field: String] = [:],
    password: Password? = nil,
    acceptsTerms: Bool? = nil
  ) {
    self.values = values
    self.password = password
    self.acceptsTerms = acceptsTerms
  }

  /// The required fields that were left empty, together with the foreseen problems, in the order of
  /// the page.
  ///
  /// - Parameters:
  ///   - entries: The fields of the page.
  ///   - foreseen: The problems of filled-in fields that are known without a call.
  /// - Returns: Nil where nothing is missing: then the auth API judges the details.
  public func problems(
    on entries: [SignUpForm.Entry],
    besides foreseen: [Problem] = []
  ) -> AuthError? {
    let missing = entries.filter { $0.isRequired && !has($0.field) }.map { entry in
      entry.field == .legalAccepted
        ? Problem(.termsNotAccepted, at: entry.field, code: OwnCode.required)
        : Problem(.missing, at: entry.field, code: OwnCode.required)
    }
    guard !missing.isEmpty else { return nil }
    return AuthError(
      entries.flatMap { entry in (missing + foreseen).filter { $0.field == entry.field } }
    )
  }

  private func has(_ field: Field) -> Bool {
    switch field {
    case .password: password != nil
    case .legalAccepted: acceptsTerms == true
    default: values[field] != nil
    }
  }
}
