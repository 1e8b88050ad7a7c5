import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("A call as one would write it")
struct CallSnippetTests {
  /// A call, and what its snippets must contain.
  struct Example: CustomTestStringConvertible, Sendable {
    var target: String
    var form: FormData
    var swift: String
    var typeScript: String

    var testDescription: String { target }
  }

  private func snippets(
    _ example: Example,
    by api: EmulatedAPI
  ) async throws -> JSON {
    let worlds = try Worlds(storage: .memory, behind: api)
    let service = EmulatedService(
      FunctionHandler { _ in Response(status: .ok) },
      worlds: worlds,
      address: "http://127.0.0.1:4010"
    )
    _ = await service.respond(to: Request(.post, example.target, form: example.form))
    let response = await BackstageAPI(worlds: worlds).respond(
      to: Request(
        method: .get,
        target: "/backstage/api/traces",
        headerFields: [.host: "localhost:8080", .mark: "1"]
      )
    )
    let json = try #require(JSON(decoding: response.body))
    return try #require(json[0]?["calls"]?[0]?["snippets"])
  }

  private static let clerkCalls = [
    Example(
      target: "/v1/client/sign_ins",
      form: ["identifier": "ada@example.com", "password": "secret"],
      swift:
        #"var signIn = try await clerk.auth.signInWithPassword(identifier: "ada@example.com", password: "<password>")"#,
      typeScript: "await clerk.client.signIn.create({\n  identifier: \"ada@example.com\","
    ),
    Example(
      target: "/v1/client/sign_ins/sia_2abC/prepare_first_factor",
      form: ["strategy": "email_code", "email_address_id": "idn_1"],
      swift: #"signIn = try await signIn.sendEmailCode(emailAddressId: "idn_1")"#,
      typeScript: "signIn.prepareFirstFactor({\n  strategy: \"email_code\",\n  emailAddressId: "
    ),
    // Whatever is at the place of an id is an id.
    Example(
      target: "/v1/client/sign_ins/mine/attempt_first_factor",
      form: ["strategy": "email_code", "code": "424242"],
      swift: #"signIn = try await signIn.verifyCode("<code>")"#,
      typeScript: "signIn.attemptFirstFactor({\n  strategy: \"email_code\","
    ),
    Example(
      target: "/v1/client/sign_ins/sia_2abC/attempt_second_factor",
      form: ["strategy": "backup_code", "code": "mia-0000-0001"],
      swift: #"signIn = try await signIn.verifyMfaCode("<code>", type: .backupCode)"#,
      typeScript: "signIn.attemptSecondFactor({"
    ),
    Example(
      target: "/v1/client/sign_ups/sua_1?_method=PATCH",
      form: ["first_name": "Ada", "legal_accepted": "true"],
      swift: #"signUp = try await signUp.update(firstName: "Ada", legalAccepted: true)"#,
      typeScript: "signUp.update({\n  firstName: \"Ada\",\n  legalAccepted: true,"
    ),
    Example(
      target: "/v1/organizations",
      form: ["name": "Pine \"Street\""],
      swift: #"URLQueryItem(name: "name", value: "Pine \"Street\""),"#,
      typeScript: #"await clerk.createOrganization({"#
    ),
    // In a form a plus means a blank, so it is escaped; and a name may be any text.
    Example(
      target: "/v1/me/phone_numbers",
      form: ["phone_number": "+15555550123", "a-b": "1"],
      swift: #"form.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")"#,
      typeScript: "phoneNumber: \"+15555550123\",\n  \"a-b\": \"1\","
    ),
    Example(
      target: "/v1/client/sign_ins",
      form: [:],
      swift: #"clerk.auth.signIn("")"#,
      typeScript: "await clerk.client.signIn.create();"
    ),
    // No method of the library, and no header field either.
    Example(
      target: "/v1/me/sessions/sess_1/revoke",
      form: [:],
      swift: "URLSession.shared.data(for: request)",
      typeScript: "  method: \"POST\",\n});"
    ),
  ]

  @Test("in ClerkKit and clerk-js, or without a library if they lack it", arguments: clerkCalls)
  func clerk(example: Example) async throws {
    let snippets = try await snippets(example, by: .clerk)
    #expect(snippets["swift"]?.string?.contains(example.swift) == true, "\(snippets)")
    #expect(snippets["typescript"]?.string?.contains(example.typeScript) == true, "\(snippets)")
    #expect(snippets["curl"]?.string?.hasPrefix("curl -g -i -X POST") == true)
  }

  private static let entraCalls = [
    Example(
      target: "/contoso.onmicrosoft.com/oauth2/v2.0/initiate",
      form: ["username": "ada@example.com"],
      swift: "nativeAuth.signIn(parameters: parameters, delegate: self)",
      typeScript: #"["username", "ada@example.com"],"#
    ),
    Example(
      target: "/contoso.onmicrosoft.com/signup/v1.0/start",
      form: ["username": "mara@example.com", "attributes": #"{"city":"Oslo"}"#],
      swift: #"parameters.attributes = ["city": "Oslo"]"#,
      typeScript: #"["username", "mara@example.com"],"#
    ),
    Example(
      target: "/contoso.onmicrosoft.com/oauth2/v2.0/token",
      form: ["grant_type": "oob", "oob": "12345678", "continuation_token": "AQ-secret"],
      swift: #"newState.submitCode(code: "<code>", delegate: self)"#,
      typeScript: #"["continuation_token", "<token>"],"#
    ),
    Example(
      target: "/contoso.onmicrosoft.com/signup/v1.0/continue",
      form: ["grant_type": "attributes", "attributes": #"{"city":"Oslo"}"#],
      swift: #"newState.submitAttributes(attributes: ["city": "Oslo"], delegate: self)"#,
      typeScript: "await fetch("
    ),
    Example(
      target: "/contoso.onmicrosoft.com/resetpassword/v1.0/submit",
      form: ["new_password": "another one"],
      swift: #"newState.submitPassword(password: "<password>", delegate: self)"#,
      typeScript: #"["new_password", "<password>"],"#
    ),
  ]

  @Test("in MSAL, or without a library if there is none", arguments: entraCalls)
  func entra(example: Example) async throws {
    let snippets = try await snippets(example, by: .entra)
    #expect(snippets["swift"]?.string?.contains(example.swift) == true, "\(snippets)")
    #expect(snippets["typescript"]?.string?.contains(example.typeScript) == true, "\(snippets)")
    for secret in ["12345678", "AQ-secret", "another one"] {
      #expect(!String(decoding: snippets.encoded, as: UTF8.self).contains(secret))
    }
  }
}
