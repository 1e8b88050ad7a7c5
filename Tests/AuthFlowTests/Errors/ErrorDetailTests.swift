import AuthFlow
import Foundation
import Testing

@Suite("What an auth API itself said of an error")
struct ErrorDetailTests {
  private func fact(_ name: String, _ value: JSONValue) -> JSONValue.Member {
    JSONValue.Member(name, value)
  }

  @Test("secrets that were sent are hidden, and so are values with the name of a secret (R9)")
  func masked() {
    let detail = ErrorDetail(
      .api,
      message: "The code 424242 is wrong.",
      facts: [
        fact("long_message", .string("Not sesame-open!")),
        fact(
          "meta",
          .object([fact("reset_token", .string("abc")), fact("param_name", .string("password"))])
        ),
        fact("list", .array([.string("sesame-open")])),
      ],
      hiding: ["sesame-open", "424242", "x"]
    )
    #expect(detail.message == "The code ••• is wrong.")
    #expect(
      detail.facts == [
        fact("long_message", .string("Not •••!")),
        fact(
          "meta",
          .object([fact("reset_token", .string("•••")), fact("param_name", .string("password"))])
        ),
        fact("list", .array([.string("•••")])),
      ]
    )
  }

  @Test("texts are cut, and a fact that is far too large is left out")
  func bounded() {
    let detail = ErrorDetail(
      .api,
      facts: [
        fact("message", .string(String(repeating: "m", count: 9_000))),
        fact(
          "meta",
          .array(Array(repeating: .string(String(repeating: "x", count: 400)), count: 9))
        ),
      ]
    )
    #expect(detail.facts[0].value == .string(String(repeating: "m", count: 499) + "…"))
    #expect(detail.facts[1].value == .null)
  }

  @Test("a visit keeps a few details, with only the short facts, in their order")
  func sealed() throws {
    let long = JSONValue.string(String(repeating: "l", count: 480))
    let problem = Problem(
      .unrecognised,
      code: "c",
      detail: ErrorDetail(
        .api,
        facts: [
          fact("code", .string("c")), fact("long_message", long), fact("message", long),
          fact("parameter", .null), fact("meta", .object([fact("n", .decimal(1.5))])),
        ]
      )
    )
    let error = AuthError(problem, Array(repeating: problem, count: 19), traceID: "t")
    let data = try JSONEncoder().encode(error)
    #expect(data.count < 20 * 100 + 2 * 700)
    let kept = try JSONDecoder().decode(AuthError.self, from: data)
    #expect(
      kept.problems.map { $0.detail != nil } == [true, true] + Array(repeating: false, count: 18)
    )
    #expect(kept.problems[0].detail?.facts.map(\.name) == ["code", "parameter", "meta"])
    #expect(kept.traceID == "t" && kept.advice == error.advice)
  }

  @Test(
    "a visit keeps the API's own sentence, unless it is repeated or far too long",
    arguments: [
      ("The password has to be changed.", "AADSTS50142", true),
      ("The password has to be changed.", "The password has to be changed.", false),
      (String(repeating: "é", count: 300), "AADSTS50142", false),
    ]
  )
  func sealedSentence(_ message: String, _ code: String, isKept: Bool) throws {
    let detail = ErrorDetail(.api, message: message, facts: [fact("error", .string(code))])
    let data = try JSONEncoder().encode(detail)
    let kept = try JSONDecoder().decode(ErrorDetail.self, from: data)
    #expect(kept.message == (isKept ? message : nil))
    #expect(kept.facts == detail.facts)
  }

  @Test(
    "JSON is encoded as it was decoded",
    arguments: [
      "null", "true", "1", "1.5", #""text""#, "[1,[null]]", #"{"a":{"b":[false]},"c":"d"}"#,
    ]
  )
  func json(text: String) throws {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
  }

  @Test("of what a visit has kept, only pairs of a name and a value are read as facts")
  func pairs() throws {
    let kept = try JSONEncoder().encode(ErrorDetail(.api, facts: []))
    let text = String(decoding: kept, as: UTF8.self).replacing(
      #""facts":[]"#,
      with: #""facts":[["a","x"],["b"],[],["c","y","z"],[["d"],"w"],"e"]"#
    )
    let detail = try JSONDecoder().decode(ErrorDetail.self, from: Data(text.utf8))
    #expect(detail.facts == [fact("a", .string("x"))])
  }
}
