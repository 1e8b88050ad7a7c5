/// A form field, by the name that forms, their JSON twins and (mostly) the auth APIs give it.
public struct Field: Hashable, Codable, Sendable, CustomStringConvertible {
  public let name: String

  /// A field that an auth API names itself, such as an Entra attribute, or one that nobody fills in.
  public init(named name: String) { self.name = name }

  /// A field that pages ask for and have words for.
  public init(_ known: Known) { name = known.rawValue }

  /// Which of those it is; nil for any other.
  public var known: Known? { Known(rawValue: name) }

  /// The fields that pages ask for, by their names.
  ///
  /// Whatever depends on the field switches over them without `default`: a new one has its words, its format and its
  /// input before it compiles.
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
  /// Which session a form is about: a hidden field, of which nothing is ever said.
  public static let session = Field(named: "session")

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
