internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The checks that need only the request: whether it is for this site, what it is for, and whether
/// it can be read.
///
/// They are in the order of R3.
struct Edge: Sendable {
  /// What an address leads to.
  enum Destination: Sendable {
    /// A static file: no visit, no page.
    case file(StaticFiles.File)
    /// The request by which pages under development learn of changed files.
    case changes(FileChanges)
    /// The two health checks.
    case liveness, readiness
    case page(Address, WorldName)
  }

  /// The longest form (S4), even if the server lets in more.
  private static let bodyLimitBytes = 64 * 1024

  let hosts: HostPolicy
  let hasWorlds: Bool
  let files: StaticFiles
  /// Nil where files are read once.
  let changes: FileChanges?

  /// The world that a request is for; nil where it names one by an invalid name.
  func world(of request: Request) -> WorldName? {
    hasWorlds ? request.namedWorld : WorldName.main
  }

  /// Where a request goes, by its address and method alone.
  ///
  /// - Throws: `EdgeRefusal` with 400 for a host, a target or a world that is not served here, 404,
  ///   or 405.
  func destination(of request: Request) throws(EdgeRefusal) -> Destination {
    guard hosts.admits(request) else {
      guard hosts.misnamesWorld(request) else {
        // Without exactly one host, the list of hosts is not the reason.
        throw EdgeRefusal(400, request.onlyHost == nil ? .badRequest : .hostNotAllowed)
      }
      // Files belong to no world, and the error page needs its style sheets.
      guard [.get, .head].contains(request.method), let file = files.file(at: request.path) else {
        throw EdgeRefusal(400, .invalidWorld)
      }
      return .file(file)
    }
    guard request.target.hasPrefix("/") else { throw EdgeRefusal(400, .badRequest) }
    guard let world = world(of: request) else { throw EdgeRefusal(400, .invalidWorld) }
    let destination: Destination
    var methods: [HTTPRequest.Method] = [.get, .head]
    if let address = Address(path: request.path) {
      destination = .page(address, world)
      methods = address.methods
    } else if let file = files.file(at: request.path) {
      destination = .file(file)
    } else if let changes, request.path == FileChanges.path {
      destination = .changes(changes)
    } else {
      switch request.path {
      case "/healthz": destination = .liveness
      case "/readyz": destination = .readiness
      default: throw EdgeRefusal(404, .notFound)
      }
    }
    guard methods.contains(request.method) else {
      throw EdgeRefusal(405, .methodNotAllowed, allowed: methods)
    }
    return destination
  }

  /// The fields that were posted; none for a request that only reads.
  ///
  /// - Throws: `EdgeRefusal` with 413, 415, or 400 where the body is not a form.
  func form(of request: Request) throws(EdgeRefusal) -> FormData {
    guard request.method == .post else { return FormData() }
    guard request.body.count <= Self.bodyLimitBytes else { throw EdgeRefusal(413, .bodyTooLarge) }
    guard request.isForm else { throw EdgeRefusal(415, .unsupportedContentType) }
    let form: FormData
    do {
      form = try FormData(decoding: request.body)
    } catch {
      throw EdgeRefusal(400, .malformedForm, reason: error.description)
    }
    // Which of two values for one field was meant cannot be known.
    guard !form.hasRepeatedName else {
      // Without the field's name: part of a password with a bare '&' in it looks like one (S28).
      throw EdgeRefusal(400, .malformedForm, reason: "a field is sent twice")
    }
    return form
  }
}

/// The refusal of a request that reaches no flow.
struct EdgeRefusal: Error, Sendable {
  var status: Int
  var refusal: SiteRefusal
  /// The allowed methods, for a 405.
  var allowed: [HTTPRequest.Method]?
  /// What the page does not say, for the log.
  var reason: String?

  init(
    _ status: Int,
    _ refusal: SiteRefusal,
    allowed: [HTTPRequest.Method]? = nil,
    reason: String? = nil
  ) {
    self.status = status
    self.refusal = refusal
    self.allowed = allowed
    self.reason = reason
  }
}

extension Address {
  /// The methods that it answers: HEAD wherever GET is one.
  var methods: [HTTPRequest.Method] {
    switch kind {
    case .view: [.get, .head]
    case .form: [.get, .head, .post]
    case .action: [.post]
    }
  }
}
