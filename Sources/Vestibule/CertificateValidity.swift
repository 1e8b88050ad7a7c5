internal import Foundation
internal import SwiftASN1
internal import X509

/// The period in which a certificate is valid.
struct CertificateValidity {
  private let begin: Date
  let end: Date

  /// Nil if no certificate can be read; the TLS library reports what is wrong with it.
  ///
  /// - Parameter pem: The server's own certificate, optionally followed by its chain.
  init?(pem: String) {
    let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
    guard let document = documents.first(where: { $0.discriminator == "CERTIFICATE" }),
      let certificate = try? Certificate(pemDocument: document)
    else { return nil }
    (begin, end) = (certificate.notValidBefore, certificate.notValidAfter)
  }

  /// The problem to report, from a week before the certificate expires; nil if there is none.
  func complaint(at now: Date) -> String? {
    if begin > now {
      return "the TLS certificate is not valid before \(begin.formatted(.iso8601))"
    }
    let text = end.formatted(.iso8601)
    if end <= now { return "the TLS certificate has expired: it was valid until \(text)" }
    return end < now.addingTimeInterval(7 * 86_400)
      ? "the TLS certificate expires soon: it is valid until \(text)" : nil
  }

  /// Whether clients would reject it now.
  func isUseless(at now: Date) -> Bool { begin > now || end <= now }
}
