import HTTPExchange
import HTTPTypes
import Foundation
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Every kind of answer is read")
struct ExampleTests {
  private func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
    JSONBody.decode(type, from: Array(text.utf8))
  }

  @Test("each answer that the notes show is read by the type that it is for")
  func all() {
    let readers: [(String, (String) -> Bool)] = [
      (Fixture.redirect, { self.read(RedirectAnswer.self, $0) != nil }),
      (Fixture.methods, { self.read(MethodsAnswer.self, $0) != nil }),
      (Fixture.password, { self.read(ChallengeAnswer.self, $0) != nil }),
      (Fixture.code, { self.read(ChallengeAnswer.self, $0) != nil }),
      (Fixture.resetContinued, { self.read(ContinuedAnswer.self, $0) != nil }),
      (Fixture.resetSubmitted, { self.read(ContinuedAnswer.self, $0) != nil }),
      (Fixture.inProgress, { self.read(PollAnswer.self, $0) != nil }),
      (Fixture.succeeded, { self.read(PollAnswer.self, $0) != nil }),
      (Fixture.registerCode, { self.read(ChallengeAnswer.self, $0) != nil }),
      (Fixture.preverified, { self.read(ChallengeAnswer.self, $0) != nil }),
      (Fixture.documentedTokens, { self.read(TokenAnswer.self, $0) != nil }),
      (Fixture.configuration, { self.read(TenantDocuments.Configuration.self, $0) != nil }),
    ]
    for (text, reads) in readers { #expect(reads(text), "\(text)") }
  }

  @Test("a redirect is read with its reason")
  func redirect() {
    #expect(
      read(RedirectAnswer.self, Fixture.redirect)?.reason
        == "Client is missing registration_required capability"
    )
    #expect(read(RedirectAnswer.self, Fixture.code) == nil)
  }

  @Test("methods are read with their channel and hint")
  func methods() {
    let answer = read(MethodsAnswer.self, Fixture.methods)
    #expect(answer?.methods.map(\.channel) == ["email", "sms"])
    #expect(answer?.methods.first?.hint == "m***a@fe***od.example")
  }

  @Test("a method that lacks what is needed breaks the whole answer")
  func brokenMethod() {
    for name in ["id", "challenge_type", "challenge_channel"] {
      let broken = Fixture.methods.replacing("\"\(name)\":", with: "\"no_\(name)\":")
      #expect(read(MethodsAnswer.self, broken) == nil)
    }
    #expect(read(MethodsAnswer.self, #"{"continuation_token":"c","methods":[]}"#) == nil)
  }

  @Test("challenges are read by their kind")
  func challenges() {
    #expect(read(ChallengeAnswer.self, Fixture.password)?.kind == .password)
    #expect(read(ChallengeAnswer.self, Fixture.preverified)?.kind == .preverified)
    let sent = ChallengeAnswer.SentCode(
      channel: .email,
      destination: "m***a@fe***od.example",
      length: 8,
      resendInterval: 300
    )
    #expect(read(ChallengeAnswer.self, Fixture.code)?.kind == .code(sent))
    guard case .code(let registered)? = read(ChallengeAnswer.self, Fixture.registerCode)?.kind
    else {
      Issue.record("no code")
      return
    }
    #expect(registered.destination == "mara@example.com")
  }

  @Test(
    "a challenge and a list of methods know the same channels, whatever the case",
    arguments: [("email", true), ("eMail", true), ("voice", false), ("oob", false)]
  )
  func channels(name: String, isKnown: Bool) {
    let channel = #""challenge_channel":"email""#
    let named = #""challenge_channel":"\#(name)""#
    let challenge = read(ChallengeAnswer.self, Fixture.code.replacing(channel, with: named))
    let methods = read(MethodsAnswer.self, Fixture.methods.replacing(channel, with: named))
    #expect((challenge != nil) == isKnown)
    let kinds: [Factor.Kind?] = [isKnown ? .emailCode : nil, .phoneCode]
    #expect(methods?.methods.map(\.factor?.kind) == kinds)
  }

  @Test(
    "a code is read even if the answer does not say where it was sent",
    arguments: ["\"\"", "null"]
  )
  func noDestination(label: String) {
    let text = Fixture.code.replacing(#""m***a@fe***od.example""#, with: label)
    guard case .code(let sent)? = read(ChallengeAnswer.self, text)?.kind else {
      Issue.record("no code")
      return
    }
    #expect(sent.destination == nil)
  }

  @Test("a reset's answers are read")
  func reset() {
    #expect(read(ContinuedAnswer.self, Fixture.resetContinued)?.expiresIn == 600)
    #expect(
      read(ContinuedAnswer.self, Fixture.resetSubmitted)?.continuation.token == "CT-reset-04"
    )
    #expect(read(PollAnswer.self, Fixture.inProgress)?.status == .inProgress)
    #expect(read(PollAnswer.self, Fixture.inProgress)?.continuation == nil)
    #expect(read(PollAnswer.self, Fixture.succeeded)?.continuation?.token == "CT-reset-05")
    #expect(read(PollAnswer.self, #"{"status":"later"}"#) == nil)
  }

  @Test("errors are read with their token and claims", arguments: Fixture.errors)
  func errors(_ text: String) throws {
    let error = try #require(read(ServerError.self, text))
    #expect(text.contains("\"error\":\"\(error.error)\""))
    #expect((error.continuation != nil) == text.contains("continuation_token"))
    #expect((error.claims != nil) == text.contains("\"claims\""))
  }

  @Test("attributes that are wanted, and those that are wrong, are read")
  func attributes() throws {
    let wanted = try #require(read(ServerError.self, Fixture.attributesRequired))
    #expect(wanted.requiredAttributes.map(\.name) == ["displayName", "postalCode"])
    #expect(wanted.requiredAttributes.last?.choices.isEmpty == true)
    let wrong = try #require(read(ServerError.self, Fixture.attributesInvalid))
    #expect(wrong.invalidAttributes.map(\.name) == ["postalCode"])
  }

  @Test("an odd attribute among those that are wanted hides no other")
  func oddAttribute() throws {
    let error = try #require(
      read(
        ServerError.self,
        #"""
        {"error":"attributes_required","error_codes":["?",55106],
         "required_attributes":[{"name":null},7,{"name":"displayName"},{"name":"city"}],
         "invalid_attributes":[{},{"name":"city"}]}
        """#
      )
    )
    #expect(error.requiredAttributes.map(\.name) == ["displayName", "city"])
    #expect(error.invalidAttributes.map(\.name) == ["city"])
    #expect(error.codes == [55_106])
  }

  @Test("the reference is the header's, then the body's, then our own")
  func reference() {
    func reference(header: String?, body: String?) -> String? {
      let member = body.map { #","correlation_id":"\#($0)""# } ?? ""
      var response = Response.error(#"{"error":"never_heard_of"\#(member)}"#)
      if let header { response.headerFields[.clientRequestID] = header }
      let reading = AnswerReading(now: Fixture.now, traceID: "own")
      do {
        _ = try reading.answer(ContinuedAnswer.self, in: response)
        return nil
      } catch {
        guard case .refused(let server, let traceID) = error else { return nil }
        return server.correlationID == traceID ? traceID : nil
      }
    }
    #expect(reference(header: "head", body: "body") == "head")
    #expect(reference(header: nil, body: "body") == "body")
    #expect(reference(header: nil, body: nil) == "own")
    #expect(reference(header: "no id!", body: "body") == "body")
  }

  @Test("a pattern that lists texts is a choice; any other is not")
  func choices() throws {
    func choices(_ options: String) throws -> [String] {
      let text = """
        {"error":"attributes_required","required_attributes":[{"name":"colour","options":\(options)}]}
        """
      return try #require(read(ServerError.self, text)?.requiredAttributes.first).choices
    }
    #expect(try choices(#"{"regex":"^(Red|Dark green)$"}"#) == ["Red", "Dark green"])
    #expect(try choices(#"["Red","Green"]"#) == ["Red", "Green"])
    for type in ["boolean", "Boolean"] {
      #expect(try choices(#"null,"type":"\#(type)""#) == ["true", "false"])
    }
    #expect(try choices(#"["on","off"],"type":"boolean""#) == ["on", "off"])
    for other in [
      #"{"regex":"^(a+|b)$"}"#, #"{"regex":"^.*$"}"#, #"{"regex":"^(Red|Green)+"}"#,
      #"{"regex":"(Red|Green)$"}"#, #"{"regex":7}"#, "null", "7",
    ] {
      #expect(try choices(other) == [])
    }
  }

  @Test(
    "a type of whole numbers is read, and from its pattern whether they may have a sign",
    arguments: [
      (#""type":"integer""#, .natural), (#""type":"int""#, .natural),
      (#""type":"Integer","options":{"regex":"^[0-9]{1,3}$"}"#, .natural),
      (#""type":"integer","options":{"regex":"^-?[0-9]+$"}"#, .integer),
      (#""type":"int","options":{"regex":"^[+-]?\\d+$"}"#, .integer),
      (#""type":"integer","options":{"regex":"^(1|2)$"}"#, nil),
      (#""type":"string","options":{"regex":"^[0-9]+$"}"#, nil), (#""type":"boolean""#, nil),
      (#""type":7"#, nil), (#""required":true"#, nil),
    ] as [(String, SignUpForm.Entry.Format?)]
  )
  func formats(members: String, format: SignUpForm.Entry.Format?) throws {
    let text = """
      {"error":"attributes_required","required_attributes":[{"name":"extension_Age",\(members)}]}
      """
    let error = try #require(read(ServerError.self, text))
    let entry = try #require(AttributeName.entries(for: error.requiredAttributes).first)
    #expect(entry.format == format)
    #expect(entry.attribute == "extension_Age")
    #expect(entry.label == "Age")
  }

  @Test("an attribute keeps the API's name beside that of its field")
  func attributeNames() throws {
    let names = ["surname", "postalCode", "password", "extension_Age"]
    let list = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
    let text = #"{"error":"attributes_required","required_attributes":[\#(list)]}"#
    let error = try #require(read(ServerError.self, text))
    let entries = AttributeName.entries(for: error.requiredAttributes)
    #expect(entries.compactMap(\.attribute) == names)
    #expect(
      entries.map(\.field.name)
        == ["last_name", "postalCode", "attribute_password", "extension_Age"]
    )
  }

  @Test(
    "a code has 1 to 32 digits; an answer with another length is not read",
    arguments: [(0, false), (1, true), (32, true), (33, false), (-1, false)]
  )
  func codeLength(length: Int, isRead: Bool) {
    let text = Fixture.code.replacing(#""code_length":8"#, with: #""code_length":\#(length)"#)
    #expect((read(ChallengeAnswer.self, text) != nil) == isRead)
  }

  @Test("tokens are read")
  func tokens() throws {
    let answer = try #require(read(TokenAnswer.self, Fixture.documentedTokens))
    #expect(answer.scope == "openid profile offline_access api://orders/Read")
    #expect(answer.expiresIn == 3_599)
    #expect(
      [answer.accessToken, answer.refreshToken, answer.idToken] == ["eyJ…", "1.AXk…", "eyJ…"]
    )
  }

  @Test(
    "malformed tokens are not read",
    arguments: [
      #"{"token_type":"bearer","expires_in":1,"access_token":"a"}"#,
      #"{"token_type":"Bearer","expires_in":0,"access_token":"a"}"#,
      #"{"token_type":"Bearer","expires_in":"1","access_token":"a"}"#,
      #"{"token_type":"Bearer","expires_in":1,"access_token":""}"#,
      #"{"token_type":"Bearer","expires_in":1}"#,
      #"{"token_type":"Bearer","expires_in":1,"access_token":7}"#,
    ]
  )
  func noTokens(_ text: String) {
    #expect(read(TokenAnswer.self, text) == nil)
  }

  @Test("the tenant's configuration is read")
  func configuration() {
    let read = read(TenantDocuments.Configuration.self, Fixture.configuration)
    #expect(read?.issuer == Fixture.issuer)
  }
}
