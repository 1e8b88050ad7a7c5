internal import HTTPExchange
internal import MicroHTTPServer

/// What answers at one address.
struct Endpoint: Sendable {
  /// What the ready line calls it.
  var name: String
  var address: Configuration.Address
  var handler: any HTTPHandler
  /// The answer to what the server refuses itself.
  var refusing: @Sendable (MicroHTTPServer.Refusal, Request?) -> Response
}
