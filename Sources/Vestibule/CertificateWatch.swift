internal import Foundation

/// Checks once a day whether the server's certificate is still valid: it may expire while it is in use.
struct CertificateWatch: Sendable {
  static let interval = Duration.seconds(86_400)

  /// The certificate that new connections are shown, as PEM; nil if there is none.
  var shown: @Sendable () -> String?
  /// The machine's clock.
  var machineNow: @Sendable () -> Date
  /// Takes each check's complaint.
  var report: @Sendable (String) -> Void

  /// Checks daily, for the first time after a day, until its task is cancelled.
  ///
  /// - Parameter clock: Measures the days.
  func run(by clock: some Clock<Duration>) async {
    while !Task.isCancelled {
      do {
        try await clock.sleep(for: Self.interval)
      } catch {
        // Sleeping fails only when the task is cancelled.
        return
      }
      let validity = shown().flatMap { CertificateValidity(pem: $0) }
      if let complaint = validity?.complaint(at: machineNow()) { report(complaint) }
    }
  }
}
