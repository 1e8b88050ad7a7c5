public import AuthFlow
public import Foundation

/// A page as its JSON twin tells it.
///
/// Source: the README, "The JSON twin".
public struct PageSnapshot: Sendable, Decodable {
  public struct Message: Sendable, Hashable, Decodable {
    public var code: String
    public var message: String
    public var reference: String?
    public var until: String?
    /// What the auth API itself said, under its names; nil where it said nothing.
    public var detail: JSONValue?
  }

  public struct Option: Sendable, Hashable, Decodable {
    public var value: String
    public var label: String
  }

  public struct Field: Sendable, Hashable, Decodable {
    public var name: String
    public var label: String?
    public var type: String
    public var autocomplete: String?
    public var inputmode: String?
    public var required: Bool?
    public var value: String?
    public var checked: Bool?
    public var options: [Option]?
    /// What the label links to.
    public var links: [Link]?
    public var errors: [Message]?
  }

  public struct Form: Sendable, Hashable, Decodable {
    public var name: String
    public var action: String
    public var method: String
    public var token: String
    public var fields: [Field]
    public var availableAt: String?

    enum CodingKeys: String, CodingKey {
      case name, action, method, token, fields
      case availableAt = "available_at"
    }

    public func field(_ name: String) -> Field? { fields.first { $0.name == name } }
  }

  public struct Link: Sendable, Hashable, Decodable {
    public var name: String
    public var href: String
  }

  public var page: String
  public var step: String
  public var flow: String?
  public var title: String
  public var forms: [Form]
  public var errors: [Message]
  public var notices: [Message]
  public var links: [Link]

  enum CodingKeys: String, CodingKey {
    case page, step, flow, title, forms, errors, notices, links
  }

  /// The status of the answer that brought the page.
  public internal(set) var status = 0
  /// Where the page is, after every redirect.
  public internal(set) var path = ""
  /// The addresses that were redirected to on the way, in order.
  public internal(set) var redirects: [String] = []
  /// The twin as it came.
  public internal(set) var body = Data()

  /// The main form.
  public var form: Form? { forms.first }

  public func form(_ name: String) -> Form? { forms.first { $0.name == name } }

  /// The codes of the general errors.
  public var errorCodes: [String] { errors.map(\.code) }

  public var noticeCodes: [String] { notices.map(\.code) }

  /// The codes of the errors at one field, of the first form that tells some.
  public func errorCodes(at field: String) -> [String] {
    forms.lazy.compactMap { $0.field(field)?.errors }.first { !$0.isEmpty }?.map(\.code) ?? []
  }

  /// What the page shows besides, by key.
  public var facts: [String: Any] {
    let whole = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return whole?["facts"] as? [String: Any] ?? [:]
  }
}
