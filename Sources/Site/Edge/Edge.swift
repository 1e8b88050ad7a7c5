internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// What is decided by the request alone: whether it is for us, for what, and whether it can be read.
///
/// The checks stand in the order of R3.
struct Edge: Sendable {
  /// What stands behind an address.
  enum Destination: Sendable {
    /// A static file: no visit, no page.
    case file(StaticFiles.File)
    /// What pages ask whose maker is at work.
    case changes(FileChanges)
    /// The two questions of a supervisor.
    case liveness, readiness
    case page(Address, WorldName)
  }

  /// How long a form may be (S4); what a server lets in beyond it is refused all the same.
  private static let bodyLimitBytes = 64 * 1024

  let hosts: HostPolicy
  let hasWorlds: Bool
  let files: StaticFiles
  /// Nil where files are read once.
  let changes: FileChanges?

  /// The world that is meant, or nil where it is named by something that is no name.
  func world(of request: Request) -> WorldName? {
    hasWorlds ? request.namedWorld : WorldName.main
  }

  /// Where a request goes, by its address and method alone.
  ///
  /// - Throws: `EdgeRefusal` with 400 for a host or a world that is not served here, 404, or 405.
  func destination(of request: Request) throws(EdgeRefusal) -> Destination {
    guard hosts.admits(request) else {
      guard hosts.misnamesWorld(request) else {
        // Two are no question of the list.
        throw EdgeRefusal(400, request.onlyHost == nil ? .badRequest : .hostNotAllowed)
      }
      // Files are of no world, and the page that says so is shown by its style sheets.
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
  /// - Throws: `EdgeRefusal` with 413, 415, or 400 for what is no form.
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
    // Two values for one field: which one was meant is nobody's to guess.
    guard !form.hasRepeatedName else {
      // Without its name: of a password with a bare '&' in it a part looks like one (S28).
      throw EdgeRefusal(400, .malformedForm, reason: "a field is sent twice")
    }
    return form
  }
}

/// A request that reaches no flow: the page that says why.
struct EdgeRefusal: Error, Sendable {
  var status: Int
  var refusal: SiteRefusal
  /// The methods that would have been right, for a 405.
  var allowed: [HTTPRequest.Method]?
  /// For the log: what the page does not tell.
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
  /// Which methods it answers; HEAD goes wherever GET goes.
  var methods: [HTTPRequest.Method] {
    switch kind {
    case .view: [.get, .head]
    case .form: [.get, .head, .post]
    case .action: [.post]
    }
  }
}
