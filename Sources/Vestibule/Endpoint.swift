internal import Backstage
internal import HTTPExchange
internal import MicroHTTPServer

/// What is served at one address.
struct Endpoint: Sendable {
  static let metricsName = "metrics"

  static func meteredName(of name: String) -> String { name == "pages" ? "pages" : "emulator" }

  /// Its name in the ready line.
  var name: String
  /// Its name in the metrics, which do not cover their own port.
  var meteredName: String { Self.meteredName(of: name) }
  var address: Configuration.Address
  /// A path at which it answers.
  var path = "/"
  var handler: any HTTPHandler
  /// The answer to a refusal of the server's own.
  var refusing: @Sendable (MicroHTTPServer.Refusal, Request?) -> Response
  /// A higher body limit for a request, judged by its head, if it has one.
  var spooledBodyLimitBytes: @Sendable (Request) -> Int? = { _ in nil }
  /// How long an answer may be held back on purpose, beside the time that it takes.
  var longestDelay = Duration.zero

  /// How long the server waits for the answer to a request (S6).
  func deadline(for request: Request) -> Duration {
    .seconds(15) + longestDelay + BackstageAPI.waitingTime(of: request)
  }
}
