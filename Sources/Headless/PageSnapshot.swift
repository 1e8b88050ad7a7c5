public import AuthFlow
public import Foundation

/// A page as its JSON twin tells it.
///
/// Where an answer leads out of the pages, to an app that somebody has signed in for, there is none:
/// then `page` is `elsewhere`, and ``elsewhere`` is where.
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

  /// The status of the answer that brought the page.
  public internal(set) var status = 0
  /// Where the page is, after every redirect: path and query, or a whole URL where that is elsewhere.
  public internal(set) var path = ""
  /// The addresses that were redirected to on the way, in order.
  public internal(set) var redirects: [String] = []
  /// The twin as it came.
  public internal(set) var body = Data()
  /// The URL of another origin to which the answer leads, which is not asked for; nil on a page.
  public internal(set) var elsewhere: String?

  /// The main form.
  public var form: Form? { forms.first }

  public func form(_ name: String) -> Form? { forms.first { $0.name == name } }

  /// The codes of the general errors.
  public var errorCodes: [String] { errors.map(\.code) }

  public var noticeCodes: [String] { notices.map(\.code) }

  /// The codes of the errors at one field, of the first form that tells some.
  ///
  /// A field that no form has counts as one without errors: whoever expects none asks ``requireField(_:)``
  /// first, where a name that is mistyped does not pass.
  public func errorCodes(at field: String) -> [String] {
    forms.lazy.compactMap { $0.field(field)?.errorCodes }.first { !$0.isEmpty } ?? []
  }

  /// A field of whichever form: of the first that tells errors at it, else of the first that has it.
  ///
  /// - Returns: The field.
  /// - Throws: `FormSession.Failure` where no form has one of that name, with what the page is.
  public func requireField(_ name: String) throws -> Field {
    let fields = forms.compactMap { $0.field(name) }
    guard let field = fields.first(where: { !$0.errorCodes.isEmpty }) ?? fields.first else {
      throw FormSession.Failure.fieldMissing(name, page: description)
    }
    return field
  }

  /// What the page shows besides, by key.
  public var facts: [String: Any] {
    let whole = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
    return whole?["facts"] as? [String: Any] ?? [:]
  }
}

extension PageSnapshot {
  /// What there is where an answer leads out of the pages.
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
  /// Where the page is and what it is, on one line: for tests that fail.
  ///
  /// Nothing that was typed is in it, nor what a query, a fragment or a hidden field has: that may be a
  /// password, a ticket or a token.
  public var description: String {
    let first = ["page \(page)", "step \(step)"]
    let rest = outline.lines.filter { !first.contains($0) && $0 != "status \(status)" }
    return "\(path.withoutSecrets) \(status): \((first + rest).joined(separator: ", "))"
  }
}

extension PageSnapshot.Form: CustomStringConvertible {
  /// Its name and those of the fields that a person sees, without its token.
  public var description: String { (["form", name] + visibleFields).joined(separator: " ") }
}

extension PageSnapshot.Field: CustomStringConvertible {
  /// Its name, its type and the codes of its errors, without its value.
  public var description: String {
    (["field", name, "(\(type))"] + errorCodes).joined(separator: " ")
  }
}

extension String {
  /// An address as it may be printed: scheme, host, port and path, or a path alone.
  ///
  /// A query or a fragment may hold a token, and before an `@` there may be a password, also where an
  /// address lacks its slashes.
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
  /// What comes behind the last `@`; the whole where there is none.
  fileprivate var behindName: Substring {
    lastIndex(of: "@").map { self[index(after: $0)...] } ?? self
  }
}
