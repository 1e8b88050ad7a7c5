import AuthFlow
import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Two tabs at the same time")
struct OverlapTests {
  /// Holds a page up until it is told to go on.
  private final class Hold: Sendable {
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (opened, open) = AsyncStream<Void>.makeStream()

    func pass() async {
      reach.finish()
      for await _ in opened {}
    }
  }

  @Test("a page that takes longer than the sign-in beside it does not put the old visit back (S16)")
  func overtaken() async throws {
    let hold = Hold()
    let test = try TestSite(
      ScriptedProvider(.signIn(.moved(to: .complete(Example.session())))),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let prompt = try Example.codePrompt(Example.totp, stage: .secondFactor)
    let visitor = try test.visitor { $0.signIn(at: .codeRequired(prompt)) }
    // This page would keep that something has been told, or where to return to.
    async let slow = visitor.open("/sign-up?redirect_url=/account", [.accept: "text/html"])
    for await _ in hold.reached {}
    let entered = await visitor.post("/sign-in/second-factor", ["code": "424242"])
    #expect(entered.location == "/account")
    hold.open.finish()
    let page = await slow
    #expect(page.status == 200 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").status == 200)
    // Alone, it keeps it.
    let alone = try test.visitor { $0.signIn(at: .codeRequired(prompt)) }
    let kept = await alone.open("/sign-up?redirect_url=/account", [.accept: "text/html"])
    #expect(kept.header("Set-Cookie") != nil)
  }

  @Test(
    "a form that is refused beside the sign-in puts nothing back, and once that is over it does (S13, S16)"
  )
  func refusedForm() async throws {
    let hold = Hold()
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
    )
    let test = try TestSite(
      ScriptedProvider(wrong, .signIn(.moved(to: .complete(Example.session()))), wrong),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let visitor = try test.visitor { _ in }
    // All are sent with the cookies of before.
    let forms = ["mia@example.com", "ada@example.com", "ezra@example.com"].map { name in
      visitor.form(
        "/sign-in",
        ["identifier": name, "password": "walk-right-in-42"],
        [.accept: "text/html"]
      )
    }
    async let refused = test.visitor().send(forms[0])
    for await _ in hold.reached {}
    #expect(await visitor.send(forms[1]).location == "/account")
    hold.open.finish()
    let page = await refused
    #expect(page.status == 422 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").status == 200)
    // As of a browser that never got that answer.
    #expect(await test.visitor().send(forms[2]).header("Set-Cookie") != nil)
  }

  @Test(
    "a page that takes longer than the sign-out beside it does not bring the session back (S16)"
  )
  func outMeanwhile() async throws {
    let hold = Hold()
    let test = try TestSite(
      ScriptedProvider(.done),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox"),
      news: { _ in
        await hold.pass()
        return .init()
      }
    )
    let visitor = try test.visitor { visit in
      visit.enter(Example.session())
      visit.flash = Flash(path: "/sign-in", notices: [.movedOn])
    }
    async let slow = visitor.open("/account", [.accept: "text/html"])
    for await _ in hold.reached {}
    #expect(await visitor.post("/sign-out").location == "/sign-in")
    hold.open.finish()
    let page = await slow
    #expect(page.status == 200 && page.header("Set-Cookie") == nil)
    #expect(await visitor.open("/account").location == "/sign-in")
  }
}
