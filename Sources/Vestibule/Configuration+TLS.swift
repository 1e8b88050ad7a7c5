internal import Foundation
internal import Logging
internal import MicroHTTPServer

extension Configuration.TLSFiles {
  func read(
    again: Bool = false,
    logger: Logger
  ) throws(StartFailure) -> MicroHTTPServer.TLS {
    let texts = try texts(again: again)
    if let file = openKey {
      logger.warning(
        "the TLS key is open to others",
        metadata: ["file": "\(key)", "advice": "\(file.advice)"]
      )
    }
    if let complaint = CertificateValidity(pem: texts.certificate)?.complaint(at: Date()) {
      warn(of: complaint, logger: logger)
    }
    return texts
  }

  /// The key's file if other users can access it; nil if they cannot.
  var openKey: SecretFile? { NamedFile.secret(at: key).flatMap { $0.isOpenToOthers ? $0 : nil } }

  /// Logs what is wrong with the certificate.
  func warn(of complaint: String, logger: Logger) {
    logger.warning("\(complaint)", metadata: ["file": "\(certificate)"])
  }

  /// Changed files, and the certificate made from them for new connections.
  struct Changed {
    var texts: MicroHTTPServer.TLS
    var certificate: MicroHTTPServer.NewCertificate
  }

  /// The files if they have changed, or nil: a server keeps every certificate that it is given for as long as it runs.
  func changed(
    since before: MicroHTTPServer.TLS?,
    logger: Logger
  ) throws(StartFailure) -> Changed? {
    let texts = try read(again: true, logger: logger)
    guard texts.certificate != before?.certificate || texts.key != before?.key else { return nil }
    return Changed(texts: texts, certificate: try newCertificate(texts))
  }

  private func newCertificate(
    _ texts: MicroHTTPServer.TLS
  ) throws(StartFailure) -> MicroHTTPServer.NewCertificate {
    do {
      return try MicroHTTPServer.NewCertificate(texts)
    } catch {
      throw failure(error)
    }
  }

  func failure(_ error: StartError) -> StartFailure {
    let reasons = error.reasons.isEmpty ? "\(error)" : error.reasons.joined(separator: "; ")
    return StartFailure(
      .configuration,
      "HTTPS cannot be served with \(certificate) and \(key): \(reasons)"
    )
  }

  /// Checks that the files are a certificate and its key.
  ///
  /// - Returns: When the certificate is valid; nil if that cannot be read.
  @discardableResult
  func check() throws(StartFailure) -> CertificateValidity? {
    let texts = try texts()
    _ = try newCertificate(texts)
    return CertificateValidity(pem: texts.certificate)
  }

  private func texts(again: Bool = false) throws(StartFailure) -> MicroHTTPServer.TLS {
    let texts = try [certificate, key].map { path throws(StartFailure) in
      let data = try NamedFile.contents(of: path, "The TLS file", again: again)
      return String(decoding: data, as: UTF8.self)
    }
    guard texts[0].contains("-----BEGIN CERTIFICATE-----") else {
      throw StartFailure(.configuration, "The TLS certificate is not a PEM file: \(certificate)")
    }
    guard texts[1].contains("PRIVATE KEY-----") else {
      throw StartFailure(.configuration, "The TLS key is not a PEM file: \(key)")
    }
    guard !texts[1].contains("ENCRYPTED PRIVATE KEY-----"), !texts[1].contains("4,ENCRYPTED") else {
      throw StartFailure(
        .configuration,
        "The TLS key has a passphrase, which cannot be typed here: "
          + "write a key without one by openssl pkey -in \(key) -out FILE"
      )
    }
    return MicroHTTPServer.TLS(certificate: texts[0], key: texts[1])
  }
}
