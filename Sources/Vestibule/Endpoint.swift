internal import HTTPExchange
internal import MicroHTTPServer

/// What answers at one address.
struct Endpoint: Sendable {
  static let metricsName = "metrics"

  /// What the ready line calls it.
  var name: String
  /// What the figures call it, which are none about their own port.
  var meteredName: String { name == "pages" ? "pages" : "emulator" }
  var address: Configuration.Address
  /// Where there is something to ask for.
  var path = "/"
  var handler: any HTTPHandler
  /// The answer to what the server refuses itself.
  var refusing: @Sendable (MicroHTTPServer.Refusal, Request?) -> Response
  /// How long the body of a request may be, by its head, where that is more than usual.
  var spooledBodyLimitBytes: @Sendable (Request) -> Int? = { _ in nil }
}
