import AuthAPIClient
import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("What is sent to an auth API")
struct RequestTests {
  private struct Silent: HTTPTransport {
    func send(_ request: Request) async throws(TransportError) -> Response { throw .offline }
  }

  private static let connection = APIConnection(
    transport: Silent(),
    clock: WallClock { Date() },
    additionalHeaderFields: [.vestibuleWorld: "team-a"],
    userAgent: "Door/1"
  )

  @Test("every request says who calls, and asks for JSON")
  func names() {
    let request = Self.connection.request(.get, "/v1/x", headerFields: [.authorization: "t"])
    #expect(
      request.headerFields == [
        .accept: "application/json", .userAgent: "Door/1", .vestibuleWorld: "team-a",
        .authorization: "t",
      ]
    )
    #expect(request.body.isEmpty)
  }

  @Test("a form is sent as the body, with its content type")
  func form() {
    let request = Self.connection.request(.post, "/v1/x", form: ["a": "b c"])
    #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.body == Array("a=b+c".utf8))
  }

  @Test("a proof key is announced by its hash (RFC 7636, appendix B)")
  func proofKey() throws {
    // The octets of the appendix, and the values that it gives for them.
    let octets: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
      105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
    let key = ProofKey { _ in octets }
    #expect(key.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.parameters["code_challenge"] == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(key.parameters["code_challenge_method"] == "S256")
  }
}

@Suite("The optional parts of an answer")
struct AdornmentTests {
  private struct Answer: Decodable {
    var text: String?
    var needed: String?
    var number: Int?

    private enum Key: String, CodingKey { case text, needed, number }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      text = container.text(at: .text)
      needed = try? container.requiredText(at: .needed)
      number = container.adornment(Int.self, at: .number)
    }
  }

  @Test(
    "a part that is broken, empty or missing reads as nil, and the answer is still read",
    arguments: [#"{"text": 7, "number": "x"}"#, #"{"text": "", "needed": ""}"#, "{}"]
  )
  func broken(text: String) throws {
    let answer = try #require(JSONBody.decode(Answer.self, from: Array(text.utf8)))
    #expect(answer.text == nil)
    #expect(answer.needed == nil)
    #expect(answer.number == nil)
  }

  @Test("parts that are well formed are read")
  func whole() throws {
    let text = #"{"text": "a", "needed": "b", "number": 3}"#
    let answer = try #require(JSONBody.decode(Answer.self, from: Array(text.utf8)))
    #expect(answer.text == "a" && answer.needed == "b" && answer.number == 3)
  }
}
