import Logging
import MicroHTTPServer
import Testing
import TestSupport

@testable import Vestibule

@Suite("Certificate and key, at a start and when they are read again")
struct TLSFilesTests {
  @Test(
    "a key with a passphrase is refused, with advice on how to remove it",
    arguments: [
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
    ]
  )
  func passphrase(key: String) async throws {
    try await withTemporaryFolder { folder in
      let files = Configuration.TLSFiles(
        certificate: "\(folder)/certificate.pem",
        key: "\(folder)/key.pem"
      )
      try writeFile("-----BEGIN CERTIFICATE-----\n", to: files.certificate)
      try writeFile(key, to: files.key)
      let failure = #expect(throws: StartFailure.self) { try files.check() }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description.contains("openssl pkey -in \(files.key) -out ") == true)
    }
  }

  @Test("unchanged files are not used anew; changed ones must be usable")
  func changed() async throws {
    try await withTemporaryFolder { folder in
      let files = Configuration.TLSFiles(
        certificate: "\(folder)/certificate.pem",
        key: "\(folder)/key.pem"
      )
      // These are not usable, which shows only when they are used.
      let texts = MicroHTTPServer.TLS(
        certificate: "-----BEGIN CERTIFICATE-----\n",
        key: "-----BEGIN PRIVATE KEY-----\n"
      )
      try writeFile(texts.certificate, to: files.certificate)
      try writeFile(texts.key, to: files.key)
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let unchanged = try files.changed(since: texts, logger: logger)
      #expect(unchanged?.texts.certificate == nil)
      var (otherCertificate, otherKey) = (texts, texts)
      otherCertificate.certificate += "\n"
      otherKey.key += "\n"
      for before in [nil, otherCertificate, otherKey] {
        #expect(throws: StartFailure.self) { try files.changed(since: before, logger: logger) }
      }
    }
  }

  @Test("files that are not PEM, or are given in the wrong order, are refused by their names")
  func notPEM() async throws {
    try await withTemporaryFolder { folder in
      let files = Configuration.TLSFiles(
        certificate: "\(folder)/certificate.pem",
        key: "\(folder)/key.pem"
      )
      let (certificate, key) = (
        "-----BEGIN CERTIFICATE-----\n", "-----BEGIN PRIVATE KEY-----\n"
      )
      for (texts, words) in [
        ((key, key), "The TLS certificate is not a PEM file: \(files.certificate)"),
        ((certificate, certificate), "The TLS key is not a PEM file: \(files.key)"),
      ] {
        try writeFile(texts.0, to: files.certificate)
        try writeFile(texts.1, to: files.key)
        let failure = #expect(throws: StartFailure.self) { try files.check() }
        #expect(failure?.description == words)
      }
    }
  }
}
