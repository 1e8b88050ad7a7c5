public import Foundation
public import HTTPExchange
public import HTTPTypes

/// A failure, or a delay, that is injected into calls to an emulated API.
///
/// Source: <doc:EmulatedWorlds#Faults>.
public struct Fault: Sendable, Hashable {
  /// What happens instead of the API's own answer.
  public enum Effect: Sendable, Hashable {
    /// Nothing: the call is only delayed.
    case none
    case answer(Response)
    case failure(Failure)
  }

  /// A failure by its name in backstage.
  public enum Failure: String, Sendable, Hashable, CaseIterable {
    case refused, reset, timeout, truncated, empty, huge
    case notJSON = "not_json"
    case htmlError = "html_500"
  }

  /// How long a fault can hold a call at most, in milliseconds.
  public static let longestDelayMilliseconds = 60_000

  /// Assigned when the fault is added to a world; an imported fault has an id already.
  public var id = ""
  /// The group that the fault belongs to; nil for none.
  ///
  /// Once a fault of a group is used up, ends or is removed, the others are removed, too.
  public var group: String?
  public var match: FaultMatch
  /// How many more calls it affects; nil for any number.
  public var timesLeft: Int?
  /// How many calls it has affected.
  public var applied = 0
  /// When it ends, by the world's clock; nil for never.
  public var endsAt: Date?
  public var delayMilliseconds: Int
  public var effect: Effect

  public init(
    match: FaultMatch,
    timesLeft: Int?,
    endsAt: Date? = nil,
    delayMilliseconds: Int,
    effect: Effect,
    group: String? = nil
  ) {
    self.match = match
    self.timesLeft = timesLeft
    self.endsAt = endsAt
    self.delayMilliseconds = delayMilliseconds
    self.effect = effect
    self.group = group
  }

  /// The response in place of the API's; nil if the API answers itself.
  ///
  /// If the fault ends at some time, a `Retry-After` field counts down to it.
  ///
  /// - Parameter now: The time by the world's clock.
  /// - Returns: The response.
  func response(at now: Date) -> Response? {
    switch effect {
    case .none: return nil
    case .failure(let failure): return failure.response
    case .answer(var response):
      if let endsAt, response.headerFields[.retryAfter] != nil {
        let seconds = Int(endsAt.timeIntervalSince(now).rounded(.up))
        response.headerFields[.retryAfter] = String(max(1, seconds))
      }
      return response
    }
  }

  func isOver(at now: Date) -> Bool { endsAt.map { $0 <= now } ?? false }
}

/// Which calls a fault affects; a property that is nil matches all.
public struct FaultMatch: Sendable, Hashable {
  public var method: HTTPRequest.Method?
  /// The whole path on the wire; `*` stands for one segment.
  public var path: String?

  public init(method: HTTPRequest.Method? = nil, path: String? = nil) {
    self.method = method
    self.path = path
  }

  func covers(_ request: Request) -> Bool {
    if let method, method != request.method { return false }
    guard let path else { return true }
    let pattern = Self.segments(path[...])
    let segments = Self.segments(request.path)
    guard pattern.count == segments.count else { return false }
    return zip(pattern, segments).allSatisfy { $0 == "*" && !$1.isEmpty || $0 == $1 }
  }

  /// Ignores a slash at the end, as the API itself does.
  static func segments(_ path: Substring) -> [Substring] {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return segments.count > 2 && segments.last?.isEmpty == true ? segments.dropLast() : segments
  }
}

extension Fault.Failure {
  /// More than any client of the API reads (S27).
  private static let hugeByteCount = 2 * 1024 * 1024

  var response: Response {
    let json: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    var response = Response(status: .ok, headerFields: json)
    switch self {
    case .refused: response.deliveryFailure = .refused
    case .reset: response.deliveryFailure = .reset
    case .timeout: response.deliveryFailure = .timeout
    case .truncated:
      response.deliveryFailure = .truncated
      response.body = Array(#"{"response":{"object":"truncated"},"client":null}"#.utf8)
    case .empty: break
    case .huge:
      let padding = [UInt8](repeating: UInt8(ascii: "x"), count: Self.hugeByteCount)
      response.body = Array(#"{"response":null,"client":null,"padding":""#.utf8) + padding
      response.body += Array(#""}"#.utf8)
    case .notJSON:
      response.body = Array("This is not JSON.".utf8)
    case .htmlError:
      response.status = .internalServerError
      response.headerFields[.contentType] = "text/html; charset=utf-8"
      response.body = Array(
        """
        <!DOCTYPE html>
        <html><head><title>500 Internal Server Error</title></head>
        <body><h1>Internal Server Error</h1></body></html>

        """.utf8
      )
    }
    return response
  }
}
