internal import Backstage
internal import HTTPExchange
internal import Logging
internal import Site

extension Logger {
  /// Logs a refusal on a port without pages; the site logs its own (S29).
  func turnedAway(
    _ code: String,
    at listener: String,
    host: String? = nil,
    reference: String = Hexadecimal.text(of: systemRandomBytes(8))
  ) {
    var metadata: Logger.Metadata = [
      "code": "\(code)", "listener": "\(listener)", "request": "\(reference)",
    ]
    if let host { metadata["host"] = "\(host.logged)" }
    notice("turned away", metadata: metadata)
  }
}

/// Counts and logs the requests that backstage turns away on a port (S29).
func turnedAwayByBackstage(
  at listener: String,
  _ meter: Meter?,
  _ logger: Logger
) -> TurnedAwayReport {
  { code, reference, request in
    meter?.count(code == "invalid_world" ? .world : .forgery)
    logger.turnedAway(code, at: listener, reference: reference)
  }
}
