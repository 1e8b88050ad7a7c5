import AuthFlow
import ClerkFrontendAPI
import Emulators
import EntraNativeAuth
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import VestibuleTesting

@testable import Site

/// What libFuzzer's bytes are taken for (S35).
enum Target: String, CaseIterable {
  /// A posted form, with the page's own token and cookies.
  case form
  /// The header field `Cookie`.
  case cookie
  /// What is inside a seal, as if somebody had the key.
  case visit
  /// The address to return to.
  case redirect
  /// `Host`, and what a trusted proxy says about the client, one line each.
  case host
  /// An answer of the auth API: which call, its status, then its body.
  case answer
  /// What somebody typed, which the page shows.
  case text
  /// The header field `Retry-After`.
  case wait = "retry-after"
  /// Settings of an instance or a brand, which a start reads.
  case configuration

  /// Tries it; a failure ends the process.
  func attempt(_ bytes: [UInt8]) async {
    switch self {
    case .form: await Application.shared.post(bytes)
    case .cookie:
      let cookie = String(decoding: bytes, as: UTF8.self)
      await Application.shared.get("/account", [(.cookie, cookie)])
    case .visit:
      guard let visit = VisitEncoding.visit(from: bytes) else { return }
      // Whatever was read can be written, and read again.
      guard let again = VisitEncoding.bytes(of: visit) else { fail("a visit cannot be written") }
      guard VisitEncoding.visit(from: again) != nil else { fail("a visit cannot be read again") }
    case .redirect:
      let addresses = ReturnAddresses(allowedOrigins: ["https://app.example.com"])
      let typed = String(decoding: bytes, as: UTF8.self)
      if let accepted = try? addresses.accepted(typed, askedAt: "http://localhost:8080"),
        !isListed(accepted)
      {
        fail("led to \(accepted)")
      }
    case .host:
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      let fields = ["Host", "X-Forwarded-For", "X-Forwarded-Proto"].compactMap {
        HTTPField.Name($0)
      }
      await Application.shared.get("/sign-in", Array(zip(fields, lines)))
    case .answer: await answered(bytes)
    case .text: await Application.shared.type(bytes)
    case .wait:
      let now = Date(timeIntervalSince1970: 1_767_225_600)
      let date = RetryAfter.date(String(decoding: bytes, as: UTF8.self), now: now)
      if let date, !(now...Date.distantFuture).contains(date) {
        fail("a wait until \(date)")
      }
    case .configuration:
      _ = try? InstanceSettings(json: Data(bytes))
      _ = try? Brand(json: Data(bytes))
    }
  }

  /// Whether a browser stays here with it, or goes to the listed origin.
  private func isListed(_ address: String) -> Bool {
    // A browser drops tabs, line breaks and leading blanks, and takes `\` for `/`.
    let kept = address.unicodeScalars.filter { !["\t", "\r", "\n"].contains($0) }
      .drop { $0.value <= 0x20 }
    let seen = String(String.UnicodeScalarView(kept)).replacing("\\", with: "/").lowercased()
    return seen.hasPrefix("/") && !seen.hasPrefix("//")
      || seen.starts(with: /https:\/\/app\.example\.com(:443)?([\/?#]|$)/)
  }

  /// Both providers, each told the same nonsense by its API.
  private func answered(_ bytes: [UInt8]) async {
    guard bytes.count > 2, let identifier = Identifier(typed: "ada@example.com") else { return }
    let statuses: [HTTPResponse.Status] = [
      .ok, .badRequest, .unauthorized, .forbidden, .notFound, .unprocessableContent,
      .tooManyRequests, .internalServerError,
    ]
    let transport = Nonsense(
      response: Response(
        status: statuses[Int(bytes[1]) % statuses.count],
        headerFields: [.contentType: "application/json"],
        body: Array(bytes.dropFirst(2))
      )
    )
    let clock = WallClock { Date(timeIntervalSince1970: 1_767_225_600) }
    let provider: any AuthProvider =
      bytes[0] & 1 == 0
      ? ClerkProvider(transport: transport, clock: clock)
      : EntraProvider(
        transport: transport,
        tenant: NativeTenant(path: "/contoso.onmicrosoft.com", clientID: "app"),
        clock: clock
      )
    var memory = ProviderMemory()
    switch bytes[0] >> 1 & 1 {
    case 0: _ = try? await provider.describeInstance()
    default:
      _ = await provider.beginSignIn(
        identifier: identifier,
        password: Password(typed: "walk-right-in-42"),
        memory: &memory
      )
    }
  }
}

/// An API that answers every call alike.
private struct Nonsense: HTTPTransport {
  var response: Response
  func send(_ request: Request) async throws(TransportError) -> Response { response }
}

func fail(_ words: String) -> Never {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
  abort()
}
