import CryptoExtras
import HTTPExchange
import HTTPTypes
import Testing

@testable import Emulators

@Suite("Tokens that are signed once an answer is written")
struct UnsignedResponseTests {
  private let key: SigningKey

  init() throws {
    key = SigningKey(id: "key", privateKey: try _RSA.Signing.PrivateKey(keySize: .bits2048))
  }

  private func response(
    _ tokens: [UnsignedToken],
    _ body: UnsignedResponse.Body,
    _ headerFields: HTTPFields = [:]
  ) throws -> (fields: HTTPFields, body: String) {
    let unsigned = UnsignedResponse(
      status: 200,
      headerFields: headerFields,
      body: body,
      unsignedTokens: tokens
    )
    let response = try unsigned.response(signedWith: key, keepingIn: FreshTokens())
    return (response.headerFields, String(decoding: response.body, as: UTF8.self))
  }

  @Test("each token is replaced by its signed form, in header fields and in the body")
  func everywhere() throws {
    let (ada, bob) = (key.unsigned(["sub": "ada"]), key.unsigned(["sub": "bob"]))
    let whole = try [ada, bob].map { try key.signed($0.payload.encoded) }
    let answer = try response(
      [ada, bob],
      .json([
        "jwt": .string(bob.signingInput),
        "pair": [.string("\(ada.signingInput) and \(bob.signingInput)")],
        "none": "nothing of the kind",
      ]),
      [.setCookie: "__client=\(ada.signingInput); Path=/", .server: "plain"]
    )
    #expect(
      answer.body == """
        {"jwt":"\(whole[1])","pair":["\(whole[0]) and \(whole[1])"],"none":"nothing of the kind"}
        """
    )
    #expect(answer.fields[.setCookie] == "__client=\(whole[0]); Path=/")
    #expect(answer.fields[.server] == "plain")
    #expect(key.payload(ofToken: whole[0]) == ada.payload)
  }

  @Test("a token that was asked for twice has one signature")
  func twice() throws {
    let token = key.unsigned(["sub": "ada"])
    let whole = try key.signed(token.payload.encoded)
    let body = JSON.array([.string(token.signingInput), .string(token.signingInput)])
    let answer = try response([token, token], .json(body))
    #expect(answer.body == "[\"\(whole)\",\"\(whole)\"]")
  }

  @Test("a token that contains an earlier token contains it signed")
  func nested() throws {
    let inner = key.unsigned(["sub": "ada"])
    let outer = key.unsigned(["cookies": [.string("__session=\(inner.signingInput)")]])
    let answer = try response([inner, outer], .json(.string(outer.signingInput)))
    let told = try #require(key.payload(ofToken: String(answer.body.dropFirst().dropLast())))
    let whole = try key.signed(inner.payload.encoded)
    #expect(told == ["cookies": [.string("__session=\(whole)")]])
  }

  @Test("a whole client appears both as the response and as the client beside it")
  func client() throws {
    let answer = try response([], .client(["object": "client", "id": "client_1"]))
    let client = #"{"object":"client","id":"client_1"}"#
    #expect(answer.body == #"{"response":\#(client),"client":\#(client)}"#)
  }
}
