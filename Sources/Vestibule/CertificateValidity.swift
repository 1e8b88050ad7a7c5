internal import Foundation
internal import SwiftASN1
internal import X509

/// From when on and until when a certificate is good.
struct CertificateValidity {
  private let begin: Date
  let end: Date

  /// Nil where there is none that can be read: what is wrong with it the TLS library says.
  ///
  /// - Parameter pem: The server's own certificate, perhaps with those behind it that vouch for it.
  init?(pem: String) {
    let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
    guard let document = documents.first(where: { $0.discriminator == "CERTIFICATE" }),
      let certificate = try? Certificate(pemDocument: document)
    else { return nil }
    (begin, end) = (certificate.notValidBefore, certificate.notValidAfter)
  }

  /// What is to be told of it; nil while it is good for longer than anybody needs to make another.
  func complaint(at now: Date) -> String? {
    if begin > now {
      return "the TLS certificate is not good yet: it is from \(begin.formatted(.iso8601)) on"
    }
    let text = end.formatted(.iso8601)
    if end <= now { return "the TLS certificate has expired: it was good until \(text)" }
    return end < now.addingTimeInterval(7 * 86_400)
      ? "the TLS certificate expires soon: it is good until \(text)" : nil
  }

  /// Whether no client takes it.
  func isUseless(at now: Date) -> Bool { begin > now || end <= now }
}
