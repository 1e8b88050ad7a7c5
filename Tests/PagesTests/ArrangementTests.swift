import Foundation
import Testing

@testable import Pages

@Suite("The order of things on a page")
struct ArrangementTests {
  private static func html(_ name: String) throws -> HTML {
    try #require(PageExample.all.first { $0.name == name }, "\(name)").html()
  }

  private static func isButton(_ element: HTML.Element) -> Bool {
    element["class"]?.split(separator: " ").contains("button") == true
  }

  @Test(
    "the link to a new password comes right after the password's input, and only there (P-signin)",
    arguments: ["sign-in/fresh", "sign-in/wrong-password", "sign-in-password/fresh"]
  )
  func forgotten(_ name: String) throws {
    let html = try Self.html(name)
    let field = try #require(html.all.first { $0["data-field"] == "password" })
    let order = field.all.compactMap { $0["data-link"] ?? ($0.tag == "input" ? "input" : nil) }
    #expect(order == ["input", "forgot-password"])
    #expect(html.all.filter { $0["data-link"] == "forgot-password" }.count == 1, "nowhere else")
  }

  @Test("the link to create an account is the last thing on the card (P-signin)")
  func foot() throws {
    let main = try #require(try Self.html("sign-in/fresh").all("main").first)
    let foot = try #require(main.all.first { $0["class"] == "card-foot" })
    #expect(foot.text == "No account? Create one")
    let last = try #require(main.all.last { $0.tag == "a" || $0.tag == "button" })
    #expect(last["data-link"] == "sign-up" && foot.all.contains { $0 === last })
  }

  @Test(
    "a method shows an icon, what it does and where it goes; at most one was used last (P-factor)"
  )
  func methods() throws {
    let buttons = try Self.html("sign-in-second-factor-methods/fresh").all.filter(Self.isButton)
    #expect(buttons.count == 3)
    for button in buttons {
      #expect(button.all.contains { $0.tag == "svg" })
      #expect(button.all.filter { $0["class"] == "way" }.count == 1)
    }
    let details = buttons.compactMap { button in button.all.first { $0["class"] == "detail" } }
    #expect(details.contains { $0.text.contains("•") })
    let used = try PageExample.all.filter { $0.name.contains("methods/") }
      .map { try $0.html().all.filter { $0["class"] == "badge" } }
    #expect(used.contains { $0.count == 1 && $0[0].text == "Last used" })
    #expect(used.allSatisfy { $0.count <= 1 })
  }

  @Test("the first button opens the provider's page (P-browser)")
  func provider() throws {
    let main = try #require(try Self.html("continue/fresh").all("main").first)
    let first = try #require(main.all.first(where: Self.isButton))
    #expect(first["data-link"] == "open" && first["class"]?.contains("primary") == true)
  }

  @Test("a code has one input, and the form that resends it comes below (P-code)")
  func code() throws {
    let main = try #require(try Self.html("sign-in-code/just-sent").all("main").first)
    let inputs = main.all.filter { $0["autocomplete"] == "one-time-code" }
    #expect(inputs.count == 1 && inputs[0]["inputmode"] == "numeric")
    let forms = main.all.filter { $0.tag == "form" }.compactMap { $0["data-action"] ?? $0["id"] }
    #expect(forms.prefix(2) == ["code", "resend"])
  }
}
