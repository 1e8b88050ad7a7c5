/// A form field, by its name in forms, in their JSON twins and (mostly) in the auth APIs.
public struct Field: Hashable, Codable, Sendable, CustomStringConvertible {
  public let name: String

  /// A field that an auth API defines itself, such as an Entra attribute, or a hidden one.
  public init(named name: String) { self.name = name }

  /// A field that pages ask for and have words for.
  public init(_ known: Known) { name = known.rawValue }

  /// The known field of this name; nil for any other.
  public var known: Known? { Known(rawValue: name) }

  /// The fields that pages ask for, by their names.
  ///
  /// Code that depends on the field switches over these without `default`: a new field does not
  /// compile until it has its words, its format and its input.
  public enum Known: String, CaseIterable, Sendable {
    case identifier
    case password
    case code
    case emailAddress = "email_address"
    case phoneNumber = "phone_number"
    case username
    case firstName = "first_name"
    case lastName = "last_name"
    case legalAccepted = "legal_accepted"
    case organization = "organization_id"
    case organizationName = "organization_name"
    case organizationSlug = "organization_slug"
    case factor
    case secondFactorMethod = "method"
    case contact
    case scopes
    case claims
    case streetAddress
    case postalCode
    case state
    case city
    case country
    case jobTitle
    case displayName
  }

  public static let identifier = Field(.identifier)
  public static let password = Field(.password)
  public static let code = Field(.code)
  public static let emailAddress = Field(.emailAddress)
  public static let phoneNumber = Field(.phoneNumber)
  public static let username = Field(.username)
  public static let firstName = Field(.firstName)
  public static let lastName = Field(.lastName)
  public static let legalAccepted = Field(.legalAccepted)
  public static let organization = Field(.organization)
  public static let organizationName = Field(.organizationName)
  public static let organizationSlug = Field(.organizationSlug)
  public static let factor = Field(.factor)
  public static let secondFactorMethod = Field(.secondFactorMethod)
  public static let contact = Field(.contact)
  public static let scopes = Field(.scopes)
  public static let claims = Field(.claims)
  public static let streetAddress = Field(.streetAddress)
  public static let postalCode = Field(.postalCode)
  public static let state = Field(.state)
  public static let city = Field(.city)
  public static let country = Field(.country)
  public static let jobTitle = Field(.jobTitle)
  public static let displayName = Field(.displayName)
  /// The session that a form is about: a hidden field, about which no problem is ever shown.
  public static let session = Field(named: "session")

  /// The field that an auth API's parameter name means; aliases are defined here and nowhere else.
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
