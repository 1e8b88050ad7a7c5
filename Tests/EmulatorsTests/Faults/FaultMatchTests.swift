import Foundation
import HTTPTypes
import Testing

@testable import Emulators

@Suite("Which calls a fault can meet")
struct FaultMatchTests {
  /// The operations of a line, one for each method, whatever their parameters are called.
  private func operations(in line: String) -> [String] {
    let words = line.replacing(/\{[^}]+\}/, with: "{}").split(separator: " ")
    return words.dropLast().map { "\($0) \(words[words.count - 1])" }
  }

  @Test("every operation that Clerk describes and that is not emulated is known")
  func described() throws {
    let article = try String(
      contentsOfFile: "Sources/Emulators/Emulators.docc/ClerkOperations.md",
      encoding: .utf8
    )
    let rows = article.matches(of: /\| `([^`]+)` \| 501 \|/).map { String($0.output.1) }
    #expect(rows.count > 100)
    let described = rows.flatMap(operations(in:)).sorted()
    #expect(ClerkRoute.notEmulated.flatMap(operations(in:)).sorted() == described)
  }

  @Test(
    "every operation is met, emulated or not, and so is each with a star for what varies",
    arguments: [
      (EmulatedAPI.clerk, ClerkEmulator.operations + ClerkRoute.notEmulated),
      (.entra, EntraEmulator.operations),
    ]
  )
  func known(api: EmulatedAPI, lines: [String]) throws {
    for operation in lines.flatMap(operations(in:)) {
      let words = operation.split(separator: " ")
      let method = try #require(HTTPRequest.Method(rawValue: String(words[0])))
      let path = String(words[1]).replacing("{}", with: "*")
      #expect(FaultMatch(method: method, path: path).mismatch(with: api) == nil, "\(operation)")
      #expect(FaultMatch(path: "\(path)/").mismatch(with: api) == nil, "\(operation)")
    }
  }

  @Test(
    "so are the pages for browsers, HEAD for GET, and POST for the method that a query names",
    arguments: [
      (EmulatedAPI.clerk, HTTPRequest.Method.get, "/v1/enterprise_sso"),
      (.clerk, .head, "/v1/verify"), (.clerk, .post, "/v1/me"),
      (.clerk, .post, "/v1/client/sign_ins/sia_1/attempt_first_factor"),
      (.entra, .get, "/*/oauth2/v2.0/authorize"), (.entra, .post, "/*/oauth2/v2.0/logout"),
      (.entra, .get, "/\(EntraTenant.defaultName)/discovery/v2.0/keys"),
      (.entra, .post, "/api/orders"),
    ]
  )
  func others(api: EmulatedAPI, method: HTTPRequest.Method, path: String) {
    #expect(FaultMatch(method: method, path: path).mismatch(with: api) == nil)
  }

  @Test(
    "a path that no operation has is met by nothing, and the nearest one is named",
    arguments: [
      (EmulatedAPI.clerk, "/v1/client/signins", "/v1/client/sign_ins"),
      (.clerk, "/client/sign_ins", "/v1/client/sign_ins"), (.clerk, "/V1/client", "/v1/client"),
      (
        .clerk, "/v1/client/sign_ins/sia_1/atempt_first_factor",
        "/v1/client/sign_ins/sia_1/attempt_first_factor"
      ),
      (
        .clerk, "/v1/client/sign_ins/{sign_in_id}/attempt_first_factor",
        "/v1/client/sign_ins/*/attempt_first_factor"
      ),
      (.clerk, "/v1/me/session", "/v1/me/sessions"), (.clerk, "/v1/me/xyz", nil),
      (.clerk, "/v1/nonsense", nil), (.clerk, "/", nil),
      (.entra, "/*/oauth2/v2.0/initate", "/*/oauth2/v2.0/initiate"),
      (.entra, "/oauth2/v2.0/token", "/*/oauth2/v2.0/token"),
      (
        .entra, "/contoso.onmicrosoft.com/oauth2/v2.0/tokens",
        "/contoso.onmicrosoft.com/oauth2/v2.0/token"
      ),
      (.entra, "/v1/client/sign_ins", nil),
    ] as [(EmulatedAPI, String, String?)]
  )
  func misspelt(api: EmulatedAPI, path: String, nearest: String?) {
    #expect(FaultMatch(path: path).mismatch(with: api) == .path(nearest: nearest))
  }

  @Test(
    "a method that no operation with such a path has is met by nothing",
    arguments: [
      (EmulatedAPI.clerk, HTTPRequest.Method.get, "/v1/client/sign_ins", [.post]),
      (.clerk, .post, "/v1/client/sign_ins/*", [.get, .head]),
      (.entra, .delete, "/*/oauth2/v2.0/token", [.post]),
      (.entra, .patch, nil, [.get, .head, .post]),
    ] as [(EmulatedAPI, HTTPRequest.Method, String?, [HTTPRequest.Method])]
  )
  func otherMethod(
    api: EmulatedAPI,
    method: HTTPRequest.Method,
    path: String?,
    known: [HTTPRequest.Method]
  ) {
    let match = FaultMatch(method: method, path: path)
    #expect(match.mismatch(with: api) == .method(known: known))
  }
}
