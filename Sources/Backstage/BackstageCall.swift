internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// A request to backstage's JSON API: method, path, query and body.
struct BackstageCall: Sendable {
  static let prefix = "/backstage/api/"
  /// The size limit of a body, except for an import's.
  static let bodyLimitBytes = 1024 * 1024
  /// About 400,000 accounts; it is read from a temporary file.
  static let importLimitBytes = 512 * 1024 * 1024

  /// The method; HEAD counts as GET.
  var method: HTTPRequest.Method
  /// The path below the prefix, split at its slashes; each segment is percent-decoded.
  var path: [String]
  var query: FormData
  /// The body; empty if there is none.
  var content: Request.Content
  /// The `Host` of the request: that of the pages, unless the call says otherwise.
  var host: String?
  /// The header field `Accept-Language`.
  var acceptLanguage: String?

  /// A call that the workbench makes in process.
  init(method: HTTPRequest.Method, path: [String], body: JSON?) {
    self.method = method
    self.path = path
    query = FormData()
    content = .whole(body?.encoded ?? [])
  }

  /// - Throws: A refusal if the path is not below the prefix, or query or body is malformed.
  init(_ request: Request) throws(BackstageRefusal) {
    guard request.path.hasPrefix(Self.prefix) else { throw .notFound }
    // The server library sends only the head of the response.
    method = request.method == .head ? .get : request.method
    host = request.headerFields[.host]
    acceptLanguage = request.headerFields[.acceptLanguage]
    path = request.path.dropFirst(Self.prefix.count)
      .split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.removingPercentEncoding ?? String($0) }
    do {
      query = try FormData(decoding: (request.query ?? "").utf8)
    } catch {
      throw .malformed("The query is malformed.")
    }
    content = try Self.content(of: request)
  }

  /// The body of a call that needs one.
  func requiredBody() throws(BackstageRefusal) -> JSON {
    let body = try bodyBytes()
    guard !body.isEmpty else { throw .malformed("Send a JSON object.") }
    let json: JSON
    do {
      json = try JSON(writtenDocument: body)
    } catch {
      throw .malformed("In the body: \(error).")
    }
    guard case .object = json else { throw .malformed("Send a JSON object.") }
    return json
  }

  private func bodyBytes() throws(BackstageRefusal) -> [UInt8] {
    switch content {
    case .whole(let bytes): return bytes
    case .spooled(let file):
      do throws(SpooledBody.Failure) {
        return try file.bytes(in: 0..<file.count)
      } catch {
        throw BackstageRefusal(.noRoom, "The body cannot be read: \(error).")
      }
    }
  }

  /// An address or a number from the query, in its stored spelling.
  func contact(_ name: String) -> String? { filled(name).map(Self.contact(typed:)) }

  /// An address or a number in its stored spelling.
  ///
  /// It is normalised like an identifier that is typed to sign in. Normalised ones contain no
  /// spaces, so a space is a `+` that was not escaped.
  static func contact(typed: String) -> String {
    let escaped = typed.hasPrefix(" ") ? "+\(typed.dropFirst())" : typed
    return PhoneNumber.cleaned(typed) ?? PhoneNumber.cleaned(escaped)
      ?? typed.trimmed.replacing(" ", with: "+")
  }

  /// A query parameter; nil if it is empty.
  func filled(_ name: String) -> String? {
    query[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Refuses a parameter that is present but empty: taken for no filter, it would match everything.
  func refuseEmpty(_ name: String) throws(BackstageRefusal) {
    guard query[name]?.isEmpty != true else {
      throw .emptyParameter(name)
    }
  }

  /// Refuses query parameters besides those named, and repeated ones.
  func allowOnly(_ names: Set<String>) throws(BackstageRefusal) {
    if let name = query.fields.map(\.name).first(where: { !names.contains($0) }) {
      throw .invalid("There is no parameter '\(name)'.")
    }
    guard Set(query.fields.map(\.name)).count == query.fields.count else {
      throw .invalid("A parameter is repeated.")
    }
  }

  private static func content(
    of request: Request
  ) throws(BackstageRefusal) -> Request.Content {
    guard request.content.count > 0 else { return request.content }
    guard request.mediaType == "application/json" else {
      throw .malformed("Send application/json.")
    }
    guard request.content.count <= limitBytes(of: request) else { throw .bodyTooLarge }
    return request.content
  }
}
