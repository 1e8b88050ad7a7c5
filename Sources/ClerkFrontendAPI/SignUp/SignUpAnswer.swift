internal import AuthAPIClient
@_spi(Provider) internal import AuthFlow
internal import Foundation

/// The meaning of an answer about a sign-up: a loose resource becomes one of a few cases.
///
/// Source: <doc:ClerkSigningUp#The-sign-up-resource>, <doc:ClerkSigningUp#Steps>.
enum SignUpAnswer: Sendable {
  case detailsMissing(MissingDetailsPrompt)
  case contactUnverified(Contact, SignUpAttempt, VerificationResource?)
  case complete(sessionID: String)
  case stuck(AuthError)

  init(_ resource: SignUpResource) {
    self =
      switch resource.status {
      case .known(.missingRequirements): Self.requirement(of: resource)
      case .known(.complete):
        resource.createdSessionID.map(Self.complete)
          ?? .stuck(.nonsense("complete-without-session"))
      case .known(.abandoned):
        .stuck(AuthError(Problem(.attemptEnded, code: OwnCode.attemptEnded)))
      case .unknown(let word):
        .stuck(AuthError(Problem(.unrecognised, code: word.cut(to: 100))))
      }
  }

  /// Missing details come before contacts to verify, since a later detail may change a contact.
  private static func requirement(of resource: SignUpResource) -> Self {
    let attempt = SignUpAttempt(resource)
    let missing = resource.missingFields.compactMap(Field.init(missing:))
    let ordered = Field.pageOrder.filter(missing.contains)
    if let prompt = MissingDetailsPrompt(attempt: attempt, fields: ordered) {
      return .detailsMissing(prompt)
    }
    // Everything is given and proven, but there is no account: the last step of the attempt was
    // refused.
    if resource.missingFields.isEmpty, resource.unverifiedFields.isEmpty,
      resource.verifications.values.contains(where: { $0.status == "verified" })
    {
      return .stuck(.identificationClaimed)
    }
    guard resource.missingFields.isEmpty,
      let contact = resource.unverifiedFields.lazy.compactMap(Contact.init(rawValue:)).first
    else { return .stuck(.requirementUnsupported(by: resource)) }
    let verification = resource.verifications[contact.rawValue]
    guard verification?.allows(contact) ?? true else {
      return .stuck(.methodUnavailable())
    }
    return .contactUnverified(contact, attempt, verification)
  }
}

extension Contact {
  /// The strategy that verifies it by a code.
  var strategy: String {
    switch self {
    case .emailAddress: "email_code"
    case .phoneNumber: "phone_code"
    }
  }
}

extension VerificationResource {
  func allows(_ strategy: String) -> Bool {
    supportedStrategies.isEmpty || supportedStrategies.contains(strategy)
  }

  fileprivate func allows(_ contact: Contact) -> Bool {
    allows(contact.strategy) || (contact == .emailAddress && offersLink)
  }

  var offersLink: Bool { supportedStrategies.contains(ContactProof.link.rawValue) }

  /// Whether a link comes first: if the instance has links, as on the API's own pages, but not
  /// while a code is on its way.
  var prefersLink: Bool {
    offersLink && !(strategy == ContactProof.code.rawValue && nextAction == "needs_attempt")
  }

  /// Whether a code is on its way already and still valid.
  func awaitsCode(at now: Date) -> Bool {
    nextAction == "needs_attempt" && status == "unverified" && expiresAt.map { $0 > now } ?? true
  }
}

extension Field {
  /// The fields these pages can ask for, in the order of the page.
  static let pageOrder: [Field] = [
    .firstName, .lastName, .username, .emailAddress, .phoneNumber, .password, .legalAccepted,
  ]

  /// The field of a missing requirement; nil for what these pages cannot ask for.
  fileprivate init?(missing name: String) {
    let name = name == "email_address_or_phone_number" ? "email_address" : name
    guard let field = Self.pageOrder.first(where: { $0.name == name }) else { return nil }
    self = field
  }
}

extension SignUpAttempt {
  fileprivate init(_ resource: SignUpResource) {
    self.init(
      continuation: Continuation(resource.id),
      values: resource.values.reduce(into: [:]) { $0[Field(named: $1.key)] = $1.value },
      endsAt: resource.abandonsAt,
      termsAcceptedAt: resource.termsAcceptedAt
    )
  }
}

extension AuthError {
  private static let claimedCode = "identification_claimed"

  /// A sign-up that asks for what these pages cannot take.
  fileprivate static func requirementUnsupported(by resource: SignUpResource) -> AuthError {
    stepUnsupported(
      code: SignUpResource.Status.missingRequirements.rawValue,
      naming: [
        ("missing_fields", resource.missingFields),
        ("unverified_fields", resource.unverifiedFields),
      ]
    )
  }

  /// The identifier belongs to another account by now: only another sign-up helps.
  fileprivate static var identificationClaimed: AuthError {
    AuthError(Problem(.identifierTaken, code: claimedCode)).endingAttempt
  }

  /// The same within an attempt that is in progress: a claimed identifier ends it.
  ///
  /// Source: <doc:ClerkSigningUp#Decisions>.
  var endingAttemptIfClaimed: AuthError {
    problems.contains { $0.code == Self.claimedCode } ? endingAttempt : self
  }
}
