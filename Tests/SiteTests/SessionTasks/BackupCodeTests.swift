@_spi(Provider) import AuthFlow
import HTTPTypes
import Testing
import TestSupport

@testable import Site

@Suite("Backup codes that are offered")
struct BackupCodeTests {
  private static let path = "/tasks/setup-mfa"
  private static let code = "canary-backup-code"

  private static func visitor(_ provider: ScriptedProvider) throws -> Visitor {
    let codes = try #require(BackupCodes([code]))
    return try TestSite(provider).visitor {
      $0.enter(
        Example.session(tasks: [.setUpSecondFactor]),
        pending: .secondFactor(.backupCodesOffered(codes))
      )
    }
  }

  private static func codes(on page: Visitor.Page) -> [String]? {
    (page.json["facts"] as? [String: Any])?["backup_codes"] as? [String]
  }

  private static func forms(on page: Visitor.Page) -> [String?] {
    (page.json["forms"] as? [[String: Any]] ?? []).map { $0["name"] as? String }
  }

  @Test("are shown and can be downloaded as long as the session lasts")
  func shown() async throws {
    let visitor = try Self.visitor(ScriptedProvider())
    #expect(Self.codes(on: await visitor.open(Self.path)) == [Self.code])
    #expect(await visitor.open("\(Self.path)?download").body.contains(Self.code))
  }

  @Test(
    "are gone with a session that ended elsewhere, which leads to signing in again (R3a)",
    arguments: ["", "?download"]
  )
  func over(query: String) async throws {
    let visitor = try Self.visitor(ScriptedProvider(.thrown(Example.error(.signInAgain))))
    let page = await visitor.open(Self.path + query)
    #expect(page.status == 303 && page.location == "/sign-in")
    #expect(!page.body.contains(Self.code))
    #expect(await visitor.open("/sign-in").noticeCodes == ["sign_in_again"])
    #expect(await visitor.open(Self.path).location == "/sign-in")
  }

  @Test(
    "are kept but not shown while the auth API cannot be asked, and shown again afterwards",
    arguments: [
      (.offline, 503), (.serviceTimedOut, 504), (.serviceAnsweredNonsense, 502),
    ] as [(Reason, Int)]
  )
  func unasked(reason: Reason, status: Int) async throws {
    for query in ["", "?download"] {
      let visitor = try Self.visitor(ScriptedProvider(.thrown(Example.error(reason))))
      let page = await visitor.open(Self.path + query)
      #expect(page.status == status && page.name == "tasks-setup-mfa")
      #expect(page.errorCodes == ["code_of_test"])
      #expect(!page.body.contains(Self.code))
      #expect(Self.forms(on: page) == ["sign-out"], "nobody has seen what there is to keep")
      #expect(Self.codes(on: await visitor.open(Self.path)) == [Self.code])
    }
  }

  @Test("are not on the page of a forged form, for which nobody is asked (R9, S14)")
  func forged() async throws {
    // This would be the answer to the first question about the session.
    let provider = ScriptedProvider(.thrown(Example.error(.offline)))
    let visitor = try Self.visitor(provider)
    for accepted in ["text/html", "application/json"] {
      let page = await visitor.post(Self.path, token: "forged", [.accept: accepted])
      #expect(page.status == 403)
      #expect(!page.body.contains(Self.code))
      #expect(page.body.contains("/tasks/setup-mfa"))
    }
    let page = await visitor.post(Self.path, token: "forged")
    #expect(Self.forms(on: page) == ["sign-out"], "nobody has said that they are kept")
    #expect(!provider.isDone && provider.calls.isEmpty)
    #expect(await visitor.open(Self.path).status == 503)
    #expect(Self.codes(on: await visitor.open(Self.path)) == [Self.code])
  }

  @Test("are not on the page that refuses the form to go on, but behind its link (R9)")
  func refused() async throws {
    let provider = ScriptedProvider(.session(.refused(Example.error(.serviceTimedOut), at: nil)))
    let visitor = try Self.visitor(provider)
    let page = await visitor.post(Self.path)
    #expect(page.status == 504 && page.errorCodes == ["code_of_test"])
    #expect(!page.body.contains(Self.code))
    #expect(Self.forms(on: page) == ["sign-out"])
    #expect(Self.codes(on: await visitor.open(Self.path)) == [Self.code])
  }
}
