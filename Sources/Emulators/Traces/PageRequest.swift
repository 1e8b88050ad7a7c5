public import HTTPExchange
internal import HTTPTypes
internal import Synchronization

/// A page request, to which the API calls made while it is answered are attributed.
public struct PageRequest: Sendable, Hashable {
  /// Tells two requests for the same page apart; later ones have greater numbers.
  let id: UInt64
  public let method: String
  /// The path without the query, in which a link may carry a secret.
  public let path: String
  let begin = ContinuousClock.now

  @TaskLocal static var current: PageRequest?
  private static let count = Atomic<UInt64>(0)

  public init(method: String, path: String) {
    id = Self.count.add(1, ordering: .relaxed).newValue
    self.method = method
    self.path = path
  }

  private init(_ request: Request) {
    self.init(method: request.method.rawValue, path: String(request.path))
  }

  /// Answers a page request, and attributes the calls made meanwhile to it.
  public static func tracing(
    _ request: Request,
    _ answer: () async -> Response
  ) async -> Response {
    await $current.withValue(PageRequest(request), operation: answer)
  }

  /// The same for an answer that is not asynchronous.
  public static func tracing(_ request: Request, _ answer: () -> Response) -> Response {
    $current.withValue(PageRequest(request), operation: answer)
  }
}
