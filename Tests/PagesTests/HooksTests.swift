import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("Hooks for machines")
struct HooksTests {
  @Test("the hooks in HTML say what the twin says", arguments: PageExample.all)
  func equalFacts(_ example: PageExample) throws {
    let html = try example.html()
    let json = try example.json()
    let main = try #require(html.all("main").first)
    #expect(main["data-page"] == json["page"] as? String)
    #expect(main["data-step"] == json["step"] as? String)
    #expect(main["data-flow"] == json["flow"] as? String)

    let forms = try #require(json["forms"] as? [[String: Any]])
    #expect(Set(html.all("form").map { $0["id"] }) == Set(forms.map { $0["name"] as? String }))
    #expect(html.all("form").first?["id"] == forms.first?["name"] as? String)
    for form in forms { try compare(form, with: html) }

    let general = try #require(json["errors"] as? [[String: Any]])
    let scoped = html.all.filter { $0["data-error-scope"] == "general" }
    #expect(scoped.map { $0["data-error-code"] } == general.map { $0["code"] as? String })
    for (element, item) in zip(scoped, general) {
      #expect(element.text.hasPrefix(try #require(item["message"] as? String)))
      #expect(item.keys.contains("until") && item["reference"] is String)
    }

    let notices = try #require(json["notices"] as? [[String: Any]])
    let told = html.all(having: "data-notice")
    func pairs(_ all: [(String?, String?)]) -> [String] {
      all.map { "\($0.0 ?? ""): \($0.1 ?? "")" }
    }
    #expect(
      pairs(told.map { ($0["data-notice"], $0.text) })
        == pairs(notices.map { ($0["code"] as? String, $0["message"] as? String) }),
      "the page shows the twin's notices, in its order"
    )

    let links = try #require(json["links"] as? [[String: Any]])
    for link in links {
      let isThere = html.all("a").contains {
        $0["data-link"] == link["name"] as? String && $0["href"] == link["href"] as? String
      }
      #expect(isThere, "\(link["name"] ?? "") is a link")
    }
    #expect(json["facts"] is [String: Any])
  }

  private func compare(_ form: [String: Any], with html: HTML) throws {
    let name = try #require(form["name"] as? String)
    let element = try #require(html.element(id: name))
    #expect(element["action"] == form["action"] as? String)
    #expect(form["token"] as? String == (form["action"] as? String).map { "token-\($0)" })
    let fields = try #require(form["fields"] as? [[String: Any]])
    var names: Set<String?> = ["form_token"]
    // A radio group is one field of several inputs.
    let inputs = element.all.filter {
      ["input", "select"].contains($0.tag) && names.insert($0["name"]).inserted
    }
    #expect(inputs.map { $0["name"] } == fields.map { $0["name"] as? String })
    for (input, field) in zip(inputs, fields) {
      compareValue(of: input, in: element, with: field)
      #expect(input["autocomplete"] == field["autocomplete"] as? String)
      #expect(input["inputmode"] == field["inputmode"] as? String)
      #expect((input["required"] != nil) == field["required"] as? Bool)
      #expect(
        (field["checked"] as? Bool ?? false)
          == (input["type"] == "checkbox" && input["checked"] != nil)
      )
      let group = element.all.first {
        $0["data-field"] == input["name"] && $0.contains(input)
      }
      #expect((group == nil) == (field["type"] as? String == "hidden"))
      let codes = group?.all.compactMap { $0["data-error-code"] } ?? []
      #expect(codes == (field["errors"] as? [[String: Any]])?.map { $0["code"] as? String })
    }
    let button = try #require(html.submitButtons(of: element).first)
    #expect(button["data-available-at"] == form["available_at"] as? String)
    #expect((button["aria-disabled"] != nil) == (form["available_at"] != nil))
  }

  private func compareValue(
    of input: HTML.Element,
    in form: HTML.Element,
    with field: [String: Any]
  ) {
    let options = field["options"] as? [[String: String]]
    #expect((options != nil) == (input["type"] == "radio" || input.tag == "select"))
    guard let options else {
      #expect(input["value"] == field["value"] as? String)
      return
    }
    let shown =
      input.tag == "select"
      ? input.all.filter { $0.tag == "option" && $0["value"] != "" }
      : form.all.filter { $0["type"] == "radio" && $0["name"] == input["name"] }
    #expect(shown.map { $0["value"] } == options.map { $0["value"] })
    let chosen = shown.first { $0["checked"] != nil || $0["selected"] != nil }
    #expect(chosen?["value"] == field["value"] as? String)
  }

  @Test("a page's fields are those that a person sees on it (E2)", arguments: PageExample.all)
  func visibleFields(_ example: PageExample) throws {
    let shown = try example.html().all(having: "data-field").compactMap { $0["data-field"] }
    #expect(shown == example.page.fields.map(\.name))
  }

  @Test("no problem is lost, whatever field it names (E2)", arguments: PageExample.all)
  func nothingIsLost(_ example: PageExample) throws {
    var frame = example.frame
    frame.error = AuthError(
      Problem(.codeIncorrect, at: .code, code: "one"),
      [
        Problem(.missing, at: .organizationSlug, code: "two"),
        Problem(.unrecognised, code: "three"),
        Problem(.passwordIncorrect, at: .password, code: "four"),
        Problem(.identifierTaken, at: .identifier, code: "five"),
      ]
    )
    let html = try HTML(renderer.get().html(example.page, in: frame))
    let codes = Set(html.all.compactMap { $0["data-error-code"] })
    #expect(codes.isSuperset(of: ["one", "two", "three", "four", "five"]))
    #expect(!html.root.text.contains("organization_slug"))
  }
}
