internal import HTTPExchange
internal import MicroHTTPServer

/// What is served at one address.
struct Endpoint: Sendable {
  static let metricsName = "metrics"

  /// Its name in the ready line.
  var name: String
  /// Its name in the metrics, which do not cover their own port.
  var meteredName: String { name == "pages" ? "pages" : "emulator" }
  var address: Configuration.Address
  /// A path at which it answers.
  var path = "/"
  var handler: any HTTPHandler
  /// The answer to a refusal of the server's own.
  var refusing: @Sendable (MicroHTTPServer.Refusal, Request?) -> Response
  /// A higher body limit for a request, judged by its head, if it has one.
  var spooledBodyLimitBytes: @Sendable (Request) -> Int? = { _ in nil }
}
