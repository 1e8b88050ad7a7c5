public import AuthFlow
public import Foundation

/// A page, as read from its JSON twin.
///
/// If a response leads away from the pages, for example back to the app that somebody signed in
/// for, there is no twin: `page` is then `elsewhere`, and ``elsewhere`` is the address.
/// Source: the README, "The JSON twin".
public struct PageSnapshot: Sendable, Decodable {
  public struct Message: Sendable, Hashable, Decodable {
    public var code: String
    public var message: String
    public var reference: String?
    public var until: String?
    /// The auth API's own details, under its own names; nil if it gave none.
    public var detail: JSONValue?
  }

  public struct Option: Sendable, Hashable, Decodable {
    public var value: String
    public var label: String
  }

  public struct Field: Sendable, Hashable, Decodable {
    public var name: String
    public var label: String?
    /// What is said below the label.
    public var hint: String?
    public var type: String
    public var autocomplete: String?
    public var inputmode: String?
    public var required: Bool?
    public var value: String?
    public var checked: Bool?
    public var options: [Option]?
    /// The links in the label.
    public var links: [Link]?
    public var errors: [Message]?

    /// The codes of its errors.
    public var errorCodes: [String] { (errors ?? []).map(\.code) }
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

  /// The status of the response that carried the page.
  public internal(set) var status = 0
  /// The page's address after all redirects: path and query, or a complete URL if it is elsewhere.
  public internal(set) var path = ""
  /// The targets of the redirects that led here, in order.
  public internal(set) var redirects: [String] = []
  /// The bytes of the twin.
  public internal(set) var body = Data()
  /// The URL of another origin that the response redirects to, which is not requested; nil on a
  /// page.
  public internal(set) var elsewhere: String?

  /// The main form.
  public var form: Form? { forms.first }

  public func form(_ name: String) -> Form? { forms.first { $0.name == name } }

  /// The codes of the general errors.
  public var errorCodes: [String] { errors.map(\.code) }

  public var noticeCodes: [String] { notices.map(\.code) }

  /// The error codes at a field, from the first form that has any.
  ///
  /// An unknown field has no errors either. A test that expects none should call
  /// ``requireField(_:)`` first, which catches a misspelt name.
  public func errorCodes(at field: String) -> [String] {
    forms.lazy.compactMap { $0.field(field)?.errorCodes }.first { !$0.isEmpty } ?? []
  }

  /// The field of that name in the first form that has errors at it, or else in the first form that
  /// has it.
  ///
  /// - Returns: The field.
  /// - Throws: `FormSession.Failure`, with the page's description, if no form has such a field.
  public func requireField(_ name: String) throws -> Field {
    let fields = forms.compactMap { $0.field(name) }
    guard let field = fields.first(where: { !$0.errorCodes.isEmpty }) ?? fields.first else {
      throw FormSession.Failure.fieldMissing(name, page: description)
    }
    return field
  }

  /// The page's further facts, by key.
  public var facts: [String: Any] {
    let whole = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return whole?["facts"] as? [String: Any] ?? [:]
  }
}

extension PageSnapshot {
  /// The snapshot for a response that redirects away from the pages.
  static func leaving(for address: String, status: Int, redirects: [String]) -> Self {
    Self(
      page: "elsewhere",
      step: "redirect",
      flow: nil,
      title: "",
      forms: [],
      errors: [],
      notices: [],
      links: [],
      status: status,
      path: address,
      redirects: redirects,
      elsewhere: address
    )
  }
}

// MARK: - Telling

extension PageSnapshot: CustomStringConvertible {
  /// The page's address and what it is, on one line, for the messages of failing tests.
  ///
  /// It omits everything typed, and the contents of queries, fragments and hidden fields, because
  /// those may be passwords, tickets or tokens.
  public var description: String {
    let first = ["page \(page)", "step \(step)"]
    let rest = outline.lines.filter { !first.contains($0) && $0 != "status \(status)" }
    return "\(path.withoutSecrets) \(status): \((first + rest).joined(separator: ", "))"
  }
}

extension PageSnapshot.Form: CustomStringConvertible {
  /// The form's name and its visible fields, without its token.
  public var description: String { (["form", name] + visibleFields).joined(separator: " ") }
}

extension PageSnapshot.Field: CustomStringConvertible {
  /// The field's name, type and error codes, without its value.
  public var description: String {
    (["field", name, "(\(type))"] + errorCodes).joined(separator: " ")
  }
}

extension String {
  /// The address without anything secret: scheme, host, port and path, or a path alone.
  ///
  /// A query or fragment may hold a token, and the part before an `@` a password, even in an
  /// address without slashes.
  package var withoutSecrets: String {
    let address = prefix { $0 != "?" && $0 != "#" }
    let scheme = address.prefix { $0 != "/" }
    let rest = address.dropFirst(scheme.count)
    guard rest.hasPrefix("//") else {
      return scheme.isEmpty ? String(address) : String(address.behindName)
    }
    let authority = rest.dropFirst(2).prefix { $0 != "/" }
    return "\(scheme)//\(authority.behindName)\(rest.dropFirst(2 + authority.count))"
  }
}

extension Substring {
  /// The part after the last `@`, or everything if there is none.
  fileprivate var behindName: Substring {
    lastIndex(of: "@").map { self[index(after: $0)...] } ?? self
  }
}
