internal import Foundation
public import HTTPExchange
public import HTTPTypes

/// It reaches the pages over any transport, a socket or calls in process. Use `send` for requests
/// that a test shapes itself. Await each request before the next: two concurrent ones send the same
/// cookies, and which of their responses sets the page and the cookies is undefined.
public actor FormSession {
  /// Why a form session cannot go on.
  public enum Failure: Error, CustomStringConvertible {
    /// No page has been opened yet.
    case noPage
    /// The page has no form of that name; `page` is the page's description.
    case noSuchForm(String, page: String)
    /// The form has no field of that name.
    case noSuchField(String, form: String)
    /// No form of the page has a field of that name; `page` is the page's description.
    case fieldMissing(String, page: String)
    /// The field has choices, but none with that value or label.
    case noSuchChoice(String, field: String)
    case severalChoices(String, field: String, labels: [String])
    /// The address is at another origin than the pages.
    case foreignAddress(String)
    /// The address is neither a path nor a whole URL.
    case relativeAddress(String)
    /// More redirects in a row than any flow has (10).
    case redirectLoop([String])
    /// The response is not a JSON twin.
    case notATwin(status: Int, body: String, fault: String)
    /// Backstage refused to bring the browser there; the message is its own.
    case refusedToStand(String)
    /// This session cannot send any request; the text says why.
    case unusable(String)

    public var description: String {
      switch self {
      case .noPage: "No page has been opened yet"
      case .noSuchForm(let name, let page): "There is no form \(name) on \(page)"
      case .noSuchField(let name, let form): "The form \(form) has no field \(name)"
      case .fieldMissing(let name, let page): "There is no field \(name) on \(page)"
      case .noSuchChoice(let text, let field): "The field \(field) has no choice \(text)"
      case .severalChoices(let text, let field, let labels):
        "Several choices of the field \(field) begin with \(text): \(labels.joined(separator: ", "))"
      case .foreignAddress(let address): "The pages are not at \(address.withoutSecrets)"
      case .relativeAddress(let address):
        "An address of the pages begins with / or an origin, not as \"\(address.withoutSecrets)\""
      case .redirectLoop(let path):
        "Redirected in a loop: \(path.map(\.withoutSecrets).joined(separator: " → "))"
      // The body may have codes in it, and these words go into reports.
      case .notATwin(let status, _, _): "Status \(status), but not the JSON twin of a page"
      case .refusedToStand(let words), .unusable(let words): words
      }
    }
  }

  private struct Cookie {
    var value: String
    /// The value of the `Set-Cookie` field that set it; nil if no response did.
    var header: String?
  }

  private static let redirectLimit = 10
  private let transport: any HTTPTransport
  private let host: String?
  private let reach: Reach
  /// The origins of the pages, such as `http://localhost:8080`.
  private let origins: [String]
  private var jar: [String: Cookie] = [:]
  /// The current page.
  public private(set) var page: PageSnapshot?

  /// - Parameters:
  ///   - transport: How the pages are reached.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - world: The world that every request names; nil names none. If it is not a valid world
  ///     name, every request throws `Failure`.
  public init(over transport: any HTTPTransport, host: String? = nil, world: String? = nil) {
    self.init(over: transport, host: host, world: world, origins: [])
  }

  /// - Parameters:
  ///   - transport: How the pages are reached.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - world: The world that every request names; nil names none.
  ///   - origins: Further origins of the pages, besides that host.
  ///   - hindrance: Why no request can be sent; nil if requests can be.
  package init(
    over transport: any HTTPTransport,
    host: String?,
    world: String?,
    origins: [String],
    hindrance: String? = nil
  ) {
    self.transport = transport
    self.host = host
    reach = Reach(world: world, hindrance: hindrance)
    let own = host.map { ["http://\($0)", "https://\($0)"] } ?? []
    self.origins = own + origins.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  private init(like other: FormSession) {
    (transport, host, reach, origins) = (other.transport, other.host, other.reach, other.origins)
  }

  /// Another browser at the same pages, in the same world: without cookies, and at no page yet.
  public nonisolated func another() -> FormSession { FormSession(like: self) }

  /// The cookies that the pages have set.
  public var cookies: [String: String] { jar.mapValues(\.value) }

  /// The `Set-Cookie` values of the cookies that responses have set here, by cookie name: enough to
  /// hand the cookies to another browser.
  public var cookieHeaders: [String: String] { jar.compactMapValues(\.header) }

  /// Replaces all cookies, with another browser's or with earlier ones of this session.
  public func replaceCookies(_ cookies: [String: String]) {
    let before = jar
    jar = cookies.mapValues { Cookie(value: $0) }
    for (name, cookie) in before where jar[name]?.value == cookie.value { jar[name] = cookie }
  }

  /// Opens a page and follows redirects, as far as they lead to pages: see `follow`.
  ///
  /// - Parameter address: A path with its query, or a whole URL of the pages.
  /// - Returns: The page that it led to.
  /// - Throws: `Failure`, also for a URL of another origin or a relative address; or what the
  ///   transport throws.
  @discardableResult
  public func open(_ address: String) async throws -> PageSnapshot {
    guard let target = try target(of: address) else { throw Failure.foreignAddress(address) }
    return try await follow(try await send(.get, target), from: target)
  }

  /// The request target for an address; nil if the address is at another origin.
  ///
  /// - Throws: `Failure.relativeAddress` for a relative address, which must be a mistake, since the
  ///   pages never use any.
  private func target(of address: String) throws(Failure) -> String? {
    for origin in origins where address.hasPrefix(origin) {
      let rest = address.dropFirst(origin.count)
      guard let first = rest.first else { return "/" }
      if first == "/" { return String(rest) } else if first == "?" { return "/\(rest)" }
    }
    let isWhole = address.hasPrefix("//") || address.prefix { !"/?".contains($0) }.contains(":")
    guard !isWhole else { return nil }
    guard address.hasPrefix("/") else { throw Failure.relativeAddress(address) }
    return address
  }

  /// Fills in a form of the current page, submits it and follows redirects.
  ///
  /// Fields that are not named keep the values that the page gave them. As in browsers, hidden
  /// fields and empty text fields are sent too.
  /// - Parameters:
  ///   - values: What is typed, by field; an empty string unticks a checkbox.
  ///   - name: The form; nil is the main one.
  ///   - older: The page that has the form, such as one still open in another tab; nil is the
  ///     current page.
  /// - Returns: The page at the end of the redirects; if they left the pages,
  ///   ``PageSnapshot/elsewhere`` is the address that they led to.
  /// - Throws: `Failure`, or what the transport throws.
  @discardableResult
  public func submit(
    _ values: [String: String] = [:],
    form name: String? = nil,
    on older: PageSnapshot? = nil
  ) async throws -> PageSnapshot {
    let (form, body) = try filled(values, form: name, on: older)
    return try await follow(try await send(.post, form.action, body: body), from: form.action)
  }

  /// Has backstage bring this browser to a state of the atlas, and opens the page there.
  ///
  /// - Parameters:
  ///   - page: The page, such as `sign-in-code`.
  ///   - state: Its state, such as `just-sent`; nil for the page's first reachable state.
  /// - Returns: The page.
  /// - Throws: `Failure`, also if no walk leads there; or what the transport throws.
  @discardableResult
  public func stand(at page: String, _ state: String? = nil) async throws -> PageSnapshot {
    let target = "/backstage/api/stand"
    var body = ["page": page]
    body["state"] = state
    let answer = try await send(
      .post,
      target,
      bytes: Array(try JSONEncoder().encode(body)),
      fields: [.contentType: "application/json", .vestibuleBackstage: "1"]
    )
    guard answer.status == .seeOther else {
      throw Failure.refusedToStand(
        answer.refusal?.message
          ?? "Status \(answer.status.code): \(String(decoding: answer.body.prefix(400), as: UTF8.self))"
      )
    }
    return try await follow(answer, from: target)
  }

  /// A form of the current page as it would be sent, without sending it.
  ///
  /// Values without a field in the form are included too, as a scripted client may send them.
  /// - Throws: `Failure` if there is no page yet, or the page has no such form.
  public func filled(
    _ values: [String: String] = [:],
    form name: String? = nil,
    on older: PageSnapshot? = nil
  ) throws -> (form: PageSnapshot.Form, body: FormData) {
    _ = try reach.world(orThrow: Failure.unusable)
    guard let page = older ?? page else { throw Failure.noPage }
    guard let form = name.map(page.form(_:)) ?? page.form else {
      throw Failure.noSuchForm(name ?? "(main)", page: page.description)
    }
    var body: FormData = ["form_token": form.token]
    for field in form.fields {
      if let value = field.sent(typing: values[field.name]) { body.append(field.name, value) }
    }
    for (name, value) in values where form.field(name) == nil { body.append(name, value) }
    return (form, body)
  }

  /// Sends one request with the cookies of this session, and keeps the cookies of the response.
  ///
  /// - Throws: `Failure` if no request can be sent, or what the transport throws.
  public func send(
    _ method: HTTPRequest.Method,
    _ target: String,
    body: FormData? = nil,
    fields extra: HTTPFields = [:]
  ) async throws -> Response {
    var fields = extra
    if body != nil, fields[.contentType] == nil {
      fields[.contentType] = "application/x-www-form-urlencoded"
    }
    return try await send(method, target, bytes: body?.encoded ?? [], fields: fields)
  }

  /// Sends one request with an arbitrary body, and the cookies of this session.
  ///
  /// - Throws: `Failure` if no request can be sent, or what the transport throws.
  public func send(
    _ method: HTTPRequest.Method,
    _ target: String,
    bytes: [UInt8],
    fields extra: HTTPFields
  ) async throws -> Response {
    let world = try reach.world(orThrow: Failure.unusable)
    var fields: HTTPFields = [.accept: "application/json"]
    if let host { fields[.host] = host }
    if !jar.isEmpty {
      fields[.cookie] = jar.sorted { $0.key < $1.key }
        .map { "\($0.key)=\($0.value.value)" }.joined(separator: "; ")
    }
    if let world { fields[.vestibuleWorld] = world.text }
    for field in extra { fields[field.name] = field.value }
    let response = try await transport.send(
      Request(
        method: method,
        target: target,
        headerFields: fields,
        body: bytes
      )
    )
    keepCookies(of: response)
    return response
  }

  private func keepCookies(of response: Response) {
    for header in response.headerFields[values: .setCookie] {
      let parts = header.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
      let name = String(pair[..<equals])
      let isDeleted = parts.dropFirst().contains("Max-Age=0")
      jar[name] =
        isDeleted
        ? nil : Cookie(value: String(pair[pair.index(after: equals)...]), header: header)
    }
  }

  /// Follows the redirects of a response, and makes the page at their end the current one.
  ///
  /// Requests never go to another origin: a redirect there ends the chain, and
  /// ``PageSnapshot/elsewhere`` of the page is its address.
  /// - Throws: `Failure` if the chain does not end at a page, or what the transport throws.
  @discardableResult
  public func follow(_ response: Response, from path: String) async throws -> PageSnapshot {
    var response = response
    var path = path
    var redirects: [String] = []
    while response.status == .seeOther, let location = response.headerFields[.location] {
      redirects.append(location)
      guard redirects.count <= Self.redirectLimit else { throw Failure.redirectLoop(redirects) }
      // Browsers do not send the fragment either.
      guard let target = try target(of: String(location.prefix { $0 != "#" })) else {
        let left = PageSnapshot.leaving(
          for: location,
          status: response.status.code,
          redirects: redirects
        )
        page = left
        return left
      }
      path = target
      response = try await send(.get, path)
    }
    do {
      var snapshot = try JSONDecoder().decode(PageSnapshot.self, from: Data(response.body))
      snapshot.status = response.status.code
      snapshot.path = path
      snapshot.redirects = redirects
      snapshot.body = Data(response.body)
      page = snapshot
      return snapshot
    } catch {
      throw Failure.notATwin(
        status: response.status.code,
        body: String(decoding: response.body, as: UTF8.self),
        fault: "\(error)"
      )
    }
  }
}

extension PageSnapshot.Field {
  /// The value that a browser sends: none for an unticked checkbox, an empty string for an empty
  /// text field.
  fileprivate func sent(typing typed: String?) -> String? {
    switch type {
    case "checkbox":
      let sent = typed ?? (checked == true ? value : nil)
      return sent == "" ? nil : sent
    case "hidden", "radio": return typed ?? value
    default: return typed ?? value ?? ""
    }
  }
}
