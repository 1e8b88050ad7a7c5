internal import Foundation

/// Looks once a day whether the server's own certificate is good still: it may expire while it is shown.
struct CertificateWatch: Sendable {
  static let interval = Duration.seconds(86_400)

  /// What new connections are shown, as PEM; nil where that is nothing.
  var shown: @Sendable () -> String?
  /// The machine's clock.
  var machineNow: @Sendable () -> Date
  /// Is told what is wrong with it, at each look.
  var report: @Sendable (String) -> Void

  /// Looks from a day on until its task is cancelled.
  ///
  /// - Parameter clock: By which a day passes.
  func run(by clock: some Clock<Duration>) async {
    while !Task.isCancelled {
      do {
        try await clock.sleep(for: Self.interval)
      } catch {
        // Only who is to look no more sleeps no longer.
        return
      }
      let validity = shown().flatMap { CertificateValidity(pem: $0) }
      if let complaint = validity?.complaint(at: machineNow()) { report(complaint) }
    }
  }
}
