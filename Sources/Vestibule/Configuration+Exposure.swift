internal import HTTPExchange
internal import Logging

extension Configuration {
  /// Refuses to expose an emulated API, or pages over plain http, to other machines (S11, S24, S30).
  func refuseExposure() throws(StartFailure) {
    // A malformed address is reported first.
    for address in [pages, emulator, metrics] { try address?.check() }
    guard !allowsNonLoopback else { return }
    if let emulator, !emulator.isLoopback {
      throw StartFailure(
        .configuration,
        "The emulated API would be reachable from other machines at \(emulator.host): "
          + "add --allow-non-loopback if that is intended"
      )
    }
    let isProtected = tls != nil || !trustedProxies.isEmpty
    if let pages, !pages.isLoopback, authAPI.isEmulated || !isProtected {
      throw StartFailure(
        .configuration,
        "The pages would be reachable from other machines at \(pages.host), "
          + (authAPI.isEmulated
            ? "with an emulated API: add --allow-non-loopback if that is intended"
            : "over plain http: add --tls-certificate and --tls-key, or --trusted-proxy for the "
              + "proxy in front, or --allow-non-loopback if that is intended")
      )
    }
    try refusePlainPublicURL()
  }

  private static let openToAll =
    "everybody who reaches the public address can use the emulated API and backstage"
  /// What it means for the pages' address: a recording may follow the first browser that comes.
  private static let openPages = "\(openToAll), and record what others type, passwords too"
  private static let openToAllAdvice =
    "serve a real auth API there, or add --allow-non-loopback if that is intended"

  /// The public addresses at which other machines reach an emulated API, and what that means; none if this is
  /// explicitly allowed.
  ///
  /// They are not refused: that is how pages are shown to others through a proxy or a tunnel.
  ///
  /// - Throws: `StartFailure` for a bad address.
  private func openOrigins() throws(StartFailure) -> [(words: String, origin: WebOrigin)] {
    guard authAPI.isEmulated, !allowsNonLoopback else { return [] }
    let ofPages = try pages.flatMap { _ in publicURL }.map { text throws(StartFailure) in
      try WebOrigin(text, as: "public URL")
    }
    let ofEmulator = try emulatorPublicOrigin()
    let all: [(words: String, origin: WebOrigin)?] = [
      ofPages.map { (words: Self.openPages, origin: $0) },
      ofEmulator.map { (words: Self.openToAll, origin: $0) },
    ]
    return all.compactMap(\.self).filter { !Authority.isLoopback($0.origin.host) }
  }

  /// Notes on public addresses at which everybody reaches an emulated API.
  func exposureNotes() throws(StartFailure) -> [String] {
    try openOrigins().map { "\($0.words): \($0.origin): \(Self.openToAllAdvice)" }
  }

  /// Logs a warning for each of them.
  func warnOfExposure(_ logger: Logger) throws(StartFailure) {
    for (words, origin) in try openOrigins() {
      logger.warning(
        "\(words)",
        metadata: ["address": "\(origin)", "advice": "\(Self.openToAllAdvice)"]
      )
    }
  }

  /// Refuses a public http URL on another machine: passwords would cross the network in the clear, and cookies would
  /// lack their prefix.
  ///
  /// If HTTPS is served, such a URL is refused anyway, for another reason.
  private func refusePlainPublicURL() throws(StartFailure) {
    guard pages != nil, tls == nil, let publicURL else { return }
    let origin = try WebOrigin(publicURL, as: "public URL")
    guard origin.scheme == "http", !Authority.isLoopback(origin.host) else { return }
    throw StartFailure(
      .configuration,
      "The public URL names another machine over plain http: \(publicURL): "
        + "begin it with https://, or add --allow-non-loopback if that is intended"
    )
  }
}
