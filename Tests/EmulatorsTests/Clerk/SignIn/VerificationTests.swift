@testable import Emulators
import Foundation
import Testing

@Suite("A verification as worlds store it")
struct VerificationTests {
  @Test(
    "is read and written unchanged, whatever its strategy",
    arguments: [
      #"{"attemptCount":2,"id":"ver_1","status":"failed","strategy":"password"}"#,
      """
      {"attemptCount":0,"code":"424242","contactID":"idn_1","expireAt":600000,"id":"ver_1",\
      "sentAt":0,"status":"unverified","strategy":"email_code"}
      """,
      """
      {"attemptCount":1,"contactID":"idn_1","expireAt":600000,"id":"ver_1",\
      "link":{"address":"https://app.example/done","clientID":"client_1","tokenHash":"AQID"},\
      "sentAt":0,"status":"verified","strategy":"email_link","verifiedAtClient":"client_1"}
      """,
      """
      {"attemptCount":0,"expireAt":600000,\
      "external":{"address":"https://idp.example/","decision":"approved","nonce":"n",\
      "returnAddress":"app://done","tokenHash":"AQID"},\
      "id":"ver_1","status":"unverified","strategy":"enterprise_sso"}
      """,
    ]
  )
  func form(text: String) throws {
    let verification = try JSONDecoder().decode(Verification.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(verification), as: UTF8.self) == text)
  }

  @Test("brings back its code from the database")
  func code() throws {
    let text = """
      {"attemptCount":0,"code":"424242","id":"ver_1","status":"unverified","strategy":"phone_code"}
      """
    let verification = try JSONDecoder().decode(Verification.self, from: Data(text.utf8))
    #expect(verification.means == .code("424242"))
    #expect(verification.link == nil && verification.external == nil)
  }
}
