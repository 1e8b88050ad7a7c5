/// A form field, by the name that forms, their JSON twins and (mostly) the auth APIs give it.
public struct Field: Hashable, Codable, Sendable, CustomStringConvertible {
  public let name: String

  /// A field that an auth API names itself, such as an Entra attribute.
  public init(named name: String) { self.name = name }

  public static let identifier = Field(named: "identifier")
  public static let password = Field(named: "password")
  public static let passwordConfirmation = Field(named: "password_confirm")
  public static let code = Field(named: "code")
  public static let emailAddress = Field(named: "email_address")
  public static let phoneNumber = Field(named: "phone_number")
  public static let username = Field(named: "username")
  public static let firstName = Field(named: "first_name")
  public static let lastName = Field(named: "last_name")
  public static let legalAccepted = Field(named: "legal_accepted")
  public static let organization = Field(named: "organization_id")
  public static let organizationName = Field(named: "organization_name")
  public static let organizationSlug = Field(named: "organization_slug")
  public static let factor = Field(named: "factor")
  public static let secondFactorMethod = Field(named: "method")
  public static let contact = Field(named: "contact")
  public static let scopes = Field(named: "scopes")
  public static let claims = Field(named: "claims")
  public static let session = Field(named: "session")
  public static let streetAddress = Field(named: "streetAddress")
  public static let postalCode = Field(named: "postalCode")
  public static let state = Field(named: "state")
  public static let city = Field(named: "city")
  public static let country = Field(named: "country")
  public static let jobTitle = Field(named: "jobTitle")
  public static let displayName = Field(named: "displayName")

  /// The field that an auth API's parameter name means; the aliases stand here and nowhere else.
  ///
  /// Rules: F11.
  public init(parameter: String) {
    self = Self.aliases[parameter] ?? Field(named: parameter)
  }

  private static let aliases: [String: Field] = [
    "emailAddress": .emailAddress, "email": .emailAddress, "phoneNumber": .phoneNumber,
    "firstName": .firstName, "lastName": .lastName, "legalAccepted": .legalAccepted,
    "new_password": .password, "newPassword": .password, "oob": .code, "givenName": .firstName,
    "surname": .lastName, "name": .organizationName, "slug": .organizationSlug,
    "active_organization_id": .organization,
  ]

  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  public var description: String { name }
}
