import Crypto
import Foundation
import HTTPTypes
import Testing
import VestibuleTesting

/// The code that an authenticator app shows (RFC 6238): written again here, from the RFC.
func authenticatorCode(secret: String, at date: Date) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
  var bits = 0
  var count = 0
  var key: [UInt8] = []
  for letter in secret.utf8 {
    guard let value = alphabet.firstIndex(of: letter) else { continue }
    bits = bits << 5 | value
    count += 5
    if count >= 8 {
      count -= 8
      key.append(UInt8(bits >> count & 0xFF))
    }
  }
  let step = UInt64(date.timeIntervalSince1970) / 30
  let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
  let mac = Array(
    HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key))
  )
  let offset = Int(mac[19] & 0xF)
  let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
  let digits = String(number % 1_000_000)
  return String(repeating: "0", count: 6 - digits.count) + digits
}

@Suite("The second factor", .inTurn)
struct SecondFactorJourneys {
  static let secret = "JBSWY3DPEHPK3PXP"

  @Test(
    "a code that was tried too often is void, and another one can be sent at once",
    arguments: Stage.allCases
  )
  func voidCode(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      for _ in 0..<5 { try await browser.submit(["code": "000000"]) }
      let void = try await browser.submit(["code": "000000"])
      #expect(void.errorCodes == ["verification_failed"])
      #expect(void.form("resend")?.availableAt == nil)
      #expect(void.facts["expires_at"] is NSNull)
      let sent = try await browser.submit(form: "resend")
      #expect(sent.noticeCodes == ["code_resent"])
      let code = try await scene.backstage.latestCode(to: "ezra@example.com")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test("mia signs in by authenticator app, which is asked for first", arguments: Stage.allCases)
  func authenticator(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("mia@example.com")
      #expect(asked.path == "/sign-in/second-factor")
      #expect(asked.flow == "sign-in")
      #expect(asked.form("resend") == nil)
      let wrong = try await browser.submit(["code": "000000"])
      #expect(wrong.status == 422)
      #expect(wrong.errorCodes(at: "code") == ["form_code_incorrect"])
      #expect(wrong.form?.field("code")?.value == nil)
      let code = authenticatorCode(secret: Self.secret, at: try await scene.backstage.now())
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "a code may have blanks and foreign digits; one of a wrong length costs no try (F8)",
    arguments: Stage.both
  )
  func cleaned(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      for typed in ["12345", "1234567", "12a456", "12a45678"] {
        let page = try await browser.submit(["code": typed])
        #expect(page.errorCodes(at: "code") == ["code_length"])
      }
      #expect(try await browser.submit(["code": "  "]).errorCodes(at: "code") == ["required"])
      let code = try await scene.backstage.latestCode(
        to: "ezra@example.com",
        purpose: "second_factor"
      )
      let foreign = String(
        String.UnicodeScalarView(
          code.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + 0x0660) }
        )
      )
      let typed = " \(foreign.prefix(3))-\(foreign.dropFirst(3)) "
      #expect(try await browser.submit(["code": typed]).page == "account")
    }
  }

  @Test("mia signs in by text message, chosen among the methods", arguments: Stage.both)
  func textMessage(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("mia@example.com")
      let methods = try await browser.open("/sign-in/second-factor/methods")
      #expect(methods.step == "method")
      #expect(methods.forms.map(\.name).contains("phone_code"))
      let sent = try await browser.submit(form: "phone_code")
      #expect(sent.path == "/sign-in/second-factor")
      #expect(sent.noticeCodes == ["code_sent"])
      let code = try await scene.backstage.latestCode(to: "+12015550123", purpose: "second_factor")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "mia signs in by backup code, however it is written; a second use is refused",
    arguments: Stage.allCases
  )
  func backupCode(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("mia@example.com")
      let page = try await browser.open("/sign-in/second-factor/backup-code")
      #expect(page.step == "backup-code")
      #expect(try await browser.submit(["code": " MIA 0000 0001"]).page == "account")
      try await browser.signOut()
      try await browser.signIn("mia@example.com")
      try await browser.open("/sign-in/second-factor/backup-code")
      let again = try await browser.submit(["code": "mia-0000-0001"])
      #expect(again.status == 422)
      #expect(again.page == "sign-in-second-factor-backup-code")
      #expect(again.errorCodes(at: "code") == ["form_code_incorrect"])
      #expect(try await browser.submit(["code": "mia-0000-0002"]).page == "account")
    }
  }

  @Test(
    "the backup code's page leads back to the app's, and to other methods if there are any",
    arguments: Stage.allCases
  )
  func backFromBackupCode(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("mia@example.com")
      let instead = try await browser.open("/sign-in/second-factor/backup-code")
      #expect(instead.links.first { $0.name == "back" }?.href == "/sign-in/second-factor")
      #expect(instead.links.contains { $0.name == "methods" })
      try await browser.open("/sign-in/second-factor/methods")
      let chosen = try await browser.submit(form: "backup_code")
      #expect(chosen.page == "sign-in-second-factor-backup-code")
      #expect(!chosen.links.contains { $0.name == "back" })
      #expect(chosen.links.contains { $0.name == "methods" })
      // With an app and backup codes alone, the list of methods would have nothing else.
      _ = try await scene.backstage.call(
        .patch,
        "users/user_mia",
        json: #"{"second_factor_phone_numbers": []}"#
      )
      let other = scene.newBrowser()
      let codePage = try await other.signIn("mia@example.com")
      #expect(codePage.links.contains { $0.name == "backup-code" })
      #expect(!codePage.links.contains { $0.name == "methods" })
      let only = try await other.open("/sign-in/second-factor/backup-code")
      #expect(only.links.contains { $0.name == "back" })
      #expect(!only.links.contains { $0.name == "methods" })
    }
  }

  @Test("spending the last backup code leads to a notice (P-backup)", arguments: Stage.allCases)
  func lastBackupCode(stage: Stage) async throws {
    try await stage.play { scene in
      _ = try await scene.backstage.call(
        .patch,
        "users/user_mia",
        json: #"{"backup_codes": ["mia-0000-0001", "mia-0000-0002"]}"#
      )
      let browser = scene.newBrowser()
      for (code, notices) in [("mia-0000-0001", []), ("mia-0000-0002", ["backup_codes_low"])] {
        try await browser.signIn("mia@example.com")
        try await browser.open("/sign-in/second-factor/backup-code")
        let account = try await browser.submit(["code": code])
        #expect(account.page == "account")
        #expect(account.noticeCodes == notices)
        try await browser.signOut()
      }
    }
  }

  @Test("ezra signs in by a code that was sent at once", arguments: Stage.both)
  func byEmail(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("ezra@example.com")
      #expect(asked.path == "/sign-in/second-factor")
      #expect(asked.noticeCodes == ["code_sent"])
      let code = try await scene.backstage.latestCode(
        to: "ezra@example.com",
        purpose: "second_factor"
      )
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test("nia confirms a new device, and not again on that device", arguments: Stage.allCases)
  func newDevice(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("nia@example.com")
      #expect(asked.path == "/sign-in/device")
      #expect(asked.noticeCodes == ["code_sent", "new_device"])
      let code = try await scene.backstage.latestCode(
        to: "nia@example.com",
        purpose: "client_trust"
      )
      #expect(try await browser.submit(["code": code]).page == "account")
      try await browser.signOut()
      #expect(try await browser.signIn("nia@example.com").page == "account")
      #expect(try await scene.newBrowser().signIn("nia@example.com").path == "/sign-in/device")
    }
  }
}
