internal import Foundation
public import HTTPExchange
public import HTTPTypes

/// A browser without a screen: keeps cookies, fills forms, follows redirects.
///
/// It reaches the pages by any transport: over a socket, or by call; `send` is there for requests
/// that a test wants to shape itself. Await one before the next: two at once are sent with the same
/// cookies, and which of their answers leaves its page and its own is chance.
public actor FormSession {
  /// What a form session cannot go on with.
  public enum Failure: Error, CustomStringConvertible {
    /// Nothing has been opened whose form could be filled in.
    case noPage
    /// The page has no form of that name; of the page what it prints.
    case noSuchForm(String, page: String)
    /// The form has no field of that name.
    case noSuchField(String, form: String)
    /// No form of the page has a field of that name; of the page what it prints.
    case fieldMissing(String, page: String)
    /// The field has choices, and none of that value or label.
    case noSuchChoice(String, field: String)
    case severalChoices(String, field: String, labels: [String])
    /// The address is of another origin than the pages.
    case foreignAddress(String)
    /// More redirects than any flow has.
    case redirectLoop([String])
    /// The answer is no JSON twin.
    case notATwin(status: Int, body: String, fault: String)
    /// Backstage does not bring a browser there; in its own words.
    case refusedToStand(String)
    /// There is nothing that this session could ask, and why.
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
      case .redirectLoop(let path):
        "Redirected in a loop: \(path.map(\.withoutSecrets).joined(separator: " → "))"
      case .notATwin(let status, let body, let fault):
        "Status \(status) is no JSON twin (\(fault)): \(body.prefix(400))"
      case .refusedToStand(let words), .unusable(let words): words
      }
    }
  }

  private struct Cookie {
    var value: String
    /// The header field that set it, as it came; nil where no answer did.
    var header: String?
  }

  private static let redirectLimit = 10
  private let transport: any HTTPTransport
  private let host: String?
  private let reach: Reach
  /// The origins of the pages, as `http://localhost:8080`.
  private let origins: [String]
  private var jar: [String: Cookie] = [:]
  /// The page at hand.
  public private(set) var page: PageSnapshot?

  /// - Parameters:
  ///   - transport: How the pages are reached.
  ///   - host: The `Host` that is asked; nil leaves it to the transport.
  ///   - world: The world that every request names; nil names none. Where it is no name of a world,
  ///     whatever is asked throws `Failure`.
  public init(over transport: any HTTPTransport, host: String? = nil, world: String? = nil) {
    self.init(over: transport, host: host, world: world, origins: [])
  }

  /// - Parameters:
  ///   - transport: How the pages are reached.
  ///   - host: The `Host` that is asked; nil leaves it to the transport.
  ///   - world: The world that every request names; nil names none.
  ///   - origins: Where the pages are besides that host.
  ///   - hindrance: Why nothing can be asked; nil where something can.
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

  /// The cookies that the pages have set.
  public var cookies: [String: String] { jar.mapValues(\.value) }

  /// What gives another browser the cookies that answers have set here: the values of `Set-Cookie`,
  /// by the cookies' names.
  public var cookieHeaders: [String: String] { jar.compactMapValues(\.header) }

  /// Takes another browser's cookies, or old ones of one's own.
  public func replaceCookies(_ cookies: [String: String]) {
    let before = jar
    jar = cookies.mapValues { Cookie(value: $0) }
    for (name, cookie) in before where jar[name]?.value == cookie.value { jar[name] = cookie }
  }

  /// Opens a page and follows redirects, as far as they lead to pages: see `follow`.
  ///
  /// - Parameter address: A path with its query, or a whole URL of the pages.
  /// - Returns: The page that it led to.
  /// - Throws: `Failure`, also for a URL of another origin; or what the transport throws.
  @discardableResult
  public func open(_ address: String) async throws -> PageSnapshot {
    guard let target = target(of: address) else { throw Failure.foreignAddress(address) }
    return try await follow(try await send(.get, target), from: target)
  }

  /// What to ask the pages for; nil where an address is of another origin.
  private func target(of address: String) -> String? {
    for origin in origins where address.hasPrefix(origin) {
      let rest = address.dropFirst(origin.count)
      guard let first = rest.first else { return "/" }
      if first == "/" { return String(rest) } else if first == "?" { return "/\(rest)" }
    }
    let isWhole = address.hasPrefix("//") || address.prefix { !"/?".contains($0) }.contains(":")
    return isWhole ? nil : address
  }

  /// Fills in a form of the page at hand, submits it and follows redirects.
  ///
  /// Fields that are not named keep what the page has in them; hidden ones are sent along, and empty lines,
  /// as browsers do.
  /// - Parameters:
  ///   - values: What is typed, by field; an empty text takes the tick out of a box.
  ///   - name: The form; nil is the main one.
  ///   - older: The page that has it, as another tab still shows it; nil is the page at hand.
  /// - Returns: The page that it led to; where it led out of the pages, ``PageSnapshot/elsewhere`` says
  ///   where.
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

  /// Is brought to a state of the atlas, and follows there.
  ///
  /// - Parameters:
  ///   - page: The page, as `sign-in-code`.
  ///   - state: Its state, as `just-sent`; nil for the first that can be stood at.
  /// - Returns: The page.
  /// - Throws: `Failure`, also where no walk leads there; or what the transport throws.
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
    guard answer.status == .seeOther else { throw Failure.refusedToStand(Self.words(in: answer)) }
    return try await follow(answer, from: target)
  }

  /// What backstage's refusal says.
  private static func words(in refusal: Response) -> String {
    struct Refusal: Decodable {
      struct Problem: Decodable { var message: String }
      var errors: [Problem]
    }
    return JSONBody.decode(Refusal.self, from: refusal.body)?.errors.first?.message
      ?? "Status \(refusal.status.code): \(String(decoding: refusal.body.prefix(400), as: UTF8.self))"
  }

  /// A form of the page at hand as it would be sent, without sending it.
  ///
  /// What the form has no field for goes along, as whoever scripts a form may send it.
  /// - Throws: `Failure` where there is no page yet, or it has no such form.
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

  /// Sends one request with the cookies of this session, and keeps those that come back.
  ///
  /// - Throws: `Failure` where nothing can be asked, or what the transport throws.
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

  /// Sends one request with any body, as that with a form is sent.
  ///
  /// - Throws: As that does.
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

  /// Goes where an answer leads, and takes the page at its end as the one at hand.
  ///
  /// No other origin is asked: what leads there, ``PageSnapshot/elsewhere`` of the page says.
  /// - Throws: `Failure` where it ends at no page, or what the transport throws.
  @discardableResult
  public func follow(_ response: Response, from path: String) async throws -> PageSnapshot {
    var response = response
    var path = path
    var redirects: [String] = []
    while response.status == .seeOther, let location = response.headerFields[.location] {
      redirects.append(location)
      guard redirects.count <= Self.redirectLimit else { throw Failure.redirectLoop(redirects) }
      // A browser, too, asks without what names a place on the page.
      guard let target = target(of: String(location.prefix { $0 != "#" })) else {
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
  /// What a browser sends of it: nothing for a box without a tick, an empty text for a line without one.
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
