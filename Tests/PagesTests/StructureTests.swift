import AuthFlow
import Foundation
import Testing

@testable import Pages

/// What holds for every page in every state, cited by its rule.
@Suite("Structure of every page")
struct StructureTests {
  @Test("examples have unique names, and every page has an example")
  func names() {
    let names = PageExample.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(PageExample.all.map(\.page.name)) == Set(Address.pages.map(\.pageName) + ["error"]))
    for example in PageExample.all {
      #expect(
        example.name.hasPrefix(example.page.name + "/"),
        "\(example.name) is named after its page"
      )
    }
  }

  @Test(
    "the page is one document with a language, one main and one h1 (R4)",
    arguments: PageExample.all
  )
  func document(_ example: PageExample) throws {
    let html = try example.html()
    let root = try #require(html.all("html").first)
    #expect(root["lang"] == "en")
    #expect(root["dir"] == "ltr")
    #expect(html.all("h1").count == 1)
    #expect(html.all("h1").first?.text.isEmpty == false)
    let main = try #require(html.all("main").first)
    #expect(html.all("main").count == 1)
    #expect(html.all("a").first?["href"] == "#main", "the skip link comes first")
    #expect(main["id"] == "main")
    let viewport = html.all("meta").first { $0["name"] == "viewport" }?["content"] ?? ""
    #expect(!viewport.contains("scalable") && !viewport.contains("maximum"))
  }

  @Test("fields about a person tell browsers what they are for (WCAG 1.3.5)")
  func purposes() throws {
    let purposes: [(field: Field, token: String, label: String)] = [
      (.displayName, "name", "Display name"), (.jobTitle, "organization-title", "Job title"),
      (.streetAddress, "address-line1", "Street address"),
      (.postalCode, "postal-code", "Postal code"),
      (.city, "address-level2", "City"), (.state, "address-level1", "State or province"),
      (.country, "country-name", "Country or region"),
    ]
    for choices in [[], ["Here", "There"]] {
      let page = SignUpPage(
        form: SignUpForm(
          mode: .open,
          fields: purposes.map { .init($0.field, isRequired: true, choices: choices) }
        ),
        rules: PasswordRules(minimumLength: 8, maximumLength: 72, required: []),
        values: [.emailAddress: "ada@example.com"],
        acceptsTerms: false
      )
      let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
      for (field, token, label) in purposes {
        let input = try #require(html.all(having: "name").first { $0["name"] == field.name })
        #expect(input.tag == (choices.isEmpty ? "input" : "select"))
        #expect(input["autocomplete"] == token, "\(field)")
        #expect(html.all("label").first { $0["for"] == input["id"] }?.text == label)
      }
      // The link for people who have an account carries what was typed.
      let link = html.all("a").first { $0["data-link"] == "sign-in" }
      #expect(link?["href"] == "/sign-in?identifier=ada%40example.com")
    }
  }

  @Test(
    "the title names the step, and says so when something is wrong (R5)",
    arguments: PageExample.all
  )
  func title(_ example: PageExample) throws {
    let html = try example.html()
    let title = try #require(html.all("title").first).text
    let heading = try #require(html.all("h1").first).text
    let hasErrors = !html.all(having: "data-error-code").isEmpty
    let isErrorItself = ["error", "locked", "blocked"].contains(example.page.name)
    let prefix = hasErrors && !isErrorItself ? "Error: " : ""
    #expect(title == "\(prefix)\(heading) – Vestibule")
    #expect(try example.json()["title"] as? String == title)
  }

  @Test("nothing is inline and nothing comes from elsewhere (R6)", arguments: PageExample.all)
  func selfContained(_ example: PageExample) throws {
    let html = try example.html()
    for element in html.all {
      #expect(element["style"] == nil)
      #expect(!element.attributes.keys.contains { $0.hasPrefix("on") })
      #expect(element.tag != "style")
      if element.tag == "script" { #expect(element.text.isEmpty) }
      if let source = element["src"] { #expect(source.hasPrefix("/public/")) }
      guard element.tag == "link" else { continue }
      if element["rel"] == "expect" {
        let last = html.all.last { $0.tag != "body" && $0.tag != "html" }
        #expect(last?["id"].map { "#\($0)" } == element["href"], "the page is drawn whole")
      } else {
        #expect(element["href"]?.hasPrefix("/public/") == true)
      }
    }
  }

  @Test(
    "each form posts explicitly, unchecked by the browser, with its own token (R7, E9)",
    arguments: PageExample.all
  )
  func forms(_ example: PageExample) throws {
    let html = try example.html()
    for form in html.all("form") {
      #expect(form["id"] != nil)
      #expect(form["method"] == "post")
      #expect(form["action"]?.hasPrefix("/") == true)
      #expect(form["novalidate"] != nil)
      let tokens = form.all.filter { $0["name"] == "form_token" }
      let action = try #require(form["action"])
      #expect(tokens.map { $0["value"] } == ["token-\(action)"])
      #expect(html.submitButtons(of: form).count == 1)
    }
  }

  @Test("ids are unique, and every reference has its target (F2)", arguments: PageExample.all)
  func references(_ example: PageExample) throws {
    let html = try example.html()
    let ids = html.all.compactMap { $0["id"] }
    #expect(Set(ids).count == ids.count)
    let pointing = ["for", "aria-describedby", "aria-labelledby", "aria-controls"]
    for element in html.all {
      for id in pointing.compactMap({ element[$0] }).flatMap({ $0.split(separator: " ") }) {
        #expect(ids.contains(String(id)), "\(id) is there")
      }
      if let href = element["href"], href.hasPrefix("#") {
        #expect(ids.contains(String(href.dropFirst())), "\(href) is there")
      }
    }
  }

  @Test(
    "each field has a label before it, in the order label, hint, error, input (F1)",
    arguments: PageExample.all
  )
  func labels(_ example: PageExample) throws {
    for group in try example.html().all(having: "data-field") {
      let input = try #require(group.all.first { ["input", "select"].contains($0.tag) })
      let label = try #require(group.all.first { $0["for"] == input["id"] })
      #expect((group.tag == "fieldset") == (input["type"] == "radio"))
      #expect(group.tag != "fieldset" || group.all.first { $0.tag == "legend" } != nil)
      #expect(label.tag == "label" && !label.text.isEmpty)
      #expect(input["name"] == group["data-field"])
      #expect(input["placeholder"] == nil)
      guard !["checkbox", "radio"].contains(input["type"]) else { continue }
      let id = try #require(input["id"])
      let order = group.all.compactMap { element -> Int? in
        switch element["id"] {
        case "\(id)-hint": 1
        case "\(id)-error": 2
        case id: 3
        default: element.tag == "label" ? 0 : element.tag == "button" ? 4 : nil
        }
      }
      #expect(order == order.sorted())
    }
  }

  @Test("each value has one input, even a code of digits (F9)", arguments: PageExample.all)
  func inputs(_ example: PageExample) throws {
    for form in try example.html().all("form") {
      let typed = form.all.filter { ["input", "select"].contains($0.tag) }
        .filter { !["hidden", "radio"].contains($0["type"] ?? "") }
      let names = typed.compactMap { $0["name"] }
      #expect(names.count == Set(names).count)
    }
  }

  @Test(
    "a field in error says so in words, state and order; others have no state (F2, F3, E4, E8)",
    arguments: PageExample.all
  )
  func fieldErrors(_ example: PageExample) throws {
    let html = try example.html()
    for group in html.all(having: "data-field") {
      let input = try #require(group.all.first { ["input", "select"].contains($0.tag) })
      let id = try #require(input["id"])
      let message = group.all.first { $0["id"] == "\(id)-error" }
      // All radio buttons have one state: their group's.
      let whole = group.tag == "fieldset" ? group : input
      #expect(whole["aria-invalid"] == (message == nil ? nil : "true"))
      if let message { #expect(message.text.hasPrefix("Error: ")) }
      let ids = group.all.compactMap { $0["id"] }
      let news = html.all(having: "data-notice")
      let told = ["lead", "notices"].filter { id in
        input["autofocus"] != nil
          && html.element(id: id)?.all.contains { one in news.contains { $0 === one } } == true
      }
      let end = html.element(id: "page-ends")
      let isEnding = input["autofocus"] != nil && end != nil && end?["hidden"] == nil
      let explaining =
        told + ["\(id)-hint", "\(id)-error"].filter { ids.contains($0) }
        + (isEnding ? ["page-ends"] : [])
      #expect(
        whole["aria-describedby"]
          == (explaining.isEmpty ? nil : explaining.joined(separator: " "))
      )
    }
  }

  @Test(
    "nothing is disabled, read-only or cut without cause (F6, F7, E10)",
    arguments: PageExample.all
  )
  func freedom(_ example: PageExample) throws {
    let html = try example.html()
    for button in html.all("button") { #expect(button["disabled"] == nil) }
    for input in html.all("input") {
      #expect(input["disabled"] == nil)
      #expect(input["maxlength"] == nil)
      #expect(input["type"] != "number")
      #expect(input["readonly"] == nil || input["name"] == "identifier_hint")
    }
  }

  @Test(
    "the summary links to each field in error: one by its name, several in their words (E1, E5)",
    arguments: PageExample.all
  )
  func summary(_ example: PageExample) throws {
    let html = try example.html()
    let groups = html.all(having: "aria-invalid").map { element in
      // Of radio buttons the first is led to.
      element.tag == "fieldset" ? element.all.first { $0.tag == "input" } ?? element : element
    }
    let summaries = html.all.filter { $0["class"] == "error-summary" }
    #expect(summaries.count == (groups.isEmpty ? 0 : 1))
    guard let summary = summaries.first else { return }
    #expect(summary["tabindex"] == "-1" && summary["role"] == nil)
    #expect(summary.all.contains { $0["role"] == "alert" })
    let links = summary.all.filter { $0.tag == "a" }
    #expect(links.map { $0["href"] } == groups.map { "#\($0["id"] ?? "")" })
    #expect(summary.all.contains { $0["class"] == "sentence" } == (links.count > 1))
    for (link, input) in zip(links, groups) {
      #expect(!link.text.isEmpty)
      let message = try #require(html.element(id: "\(input["id"] ?? "")-error"))
      for sentence in link.all.filter({ $0["class"] == "sentence" }) {
        #expect(message.text.contains(sentence.text))
      }
    }
  }

  @Test(
    "errors come above the heading, banner first; notices and outcomes below it (E5, E6)",
    arguments: PageExample.all
  )
  func placement(_ example: PageExample) throws {
    let html = try example.html()
    let main = try #require(html.all("main").first)
    let order = main.all.compactMap { element -> Int? in
      switch (element["class"], element.tag) {
      case ("banner"?, _): 0
      case ("error-summary"?, _): 1
      case (_, "h1"): 2
      case ("outcome"?, _): 3
      case ("notices"?, _): 4
      case (_, "form"): 5
      default: nil
      }
    }
    #expect(order == order.sorted())
    let headings = main.all.filter { ["h1", "h2"].contains($0.tag) }.map(\.text)
    #expect(Set(headings).count == headings.count, "no two say the same")
    for banner in main.all where ["banner", "outcome"].contains(banner["class"]) {
      #expect(banner["class"] == "banner" || headings.count == 1, "one message, one heading")
      let alert = try #require(banner.all.first { $0["role"] == "alert" })
      let details = try #require(banner.all.first { $0.tag == "details" })
      #expect(!alert.contains(details), "what is folded away is not announced")
      #expect(details.text.contains("Error code") && details.text.contains("Reference"))
      #expect(details.all.contains { $0["datetime"] != nil })
    }
    for notices in main.all where notices["class"] == "notices" {
      #expect(notices["role"] == nil, "moving the focus to it does not cut what is announced")
      #expect(notices.all.contains { $0["role"] == "status" })
    }
  }

  @Test(
    "the focus begins at one place: the error, the first field of a fresh main form, or news (E7)",
    arguments: PageExample.all
  )
  func focus(_ example: PageExample) throws {
    let html = try example.html()
    let focused = html.all(having: "autofocus")
    #expect(focused.count <= 1)
    // If the list of sessions is unfolded, it is what was asked for.
    if example.name == "account/sessions" {
      return #expect(focused.first?["id"] == "sessions-heading")
    }
    let hasErrors = !html.all(having: "data-error-code").isEmpty
    let mainForms = html.all("form").filter { $0["class"] == "form form-primary" }
    let hasMainField = html.all(having: "data-field").contains { field in
      mainForms.contains { $0.contains(field) }
    }
    // Focusing an input would scroll away what the page hands over.
    let isFilledIn = hasMainField && example.page.content(in: example.frame).handover == nil
    let news = html.all(having: "data-notice")
    let telling = ["lead", "notices"].first { id in
      html.element(id: id)?.all.contains { one in news.contains { $0 === one } } == true
    }
    let expected =
      hasErrors
      ? html.all(having: "aria-invalid").isEmpty
        ? html.all.contains { $0["class"] == "outcome" } ? "outcome" : "banner" : "error-summary"
      : isFilledIn ? "input" : telling
    #expect(focused.first.map { $0["class"] ?? $0.tag } == expected)
    guard expected == "input", !news.isEmpty else { return }
    let described = focused.first?["aria-describedby"]?.split(separator: " ").first
    let told = try #require(html.element(id: described.map(String.init) ?? ""))
    #expect(told.contains(news[0]), "the notice is read with the focused field")
  }

  @Test(
    "moments are absolute and relative, in UTC if no zone is known; no live region counts (N2, N3)",
    arguments: PageExample.all
  )
  func moments(_ example: PageExample) throws {
    let html = try example.html()
    for time in html.all("time") {
      #expect(time["datetime"]?.hasSuffix("Z") == true)
      #expect(time.text.contains("UTC") == (example.frame.timeZone == nil))
    }
    for relative in html.all(having: "data-moment") where relative["aria-hidden"] == nil {
      #expect(html.all("time").contains { $0["datetime"] == relative["data-moment"] })
      #expect(!html.all.contains { $0["aria-live"] != nil && $0.contains(relative) })
    }
  }

  @Test(
    "a password has no value, password managers learn whose it is, and a script shows it (R9, F12, F13)",
    arguments: PageExample.all
  )
  func passwords(_ example: PageExample) throws {
    let html = try example.html()
    for input in html.all("input") where ["password", "code"].contains(input["name"] ?? "") {
      #expect(input["value"] == nil)
    }
    for form in html.all("form") where form.all.contains(where: { $0["type"] == "password" }) {
      let usernames = form.all.filter {
        $0["autocomplete"]?.split(separator: " ").contains("username") == true
      }
      #expect(!usernames.isEmpty)
      let button = try #require(form.all.first { $0["class"] == "show-password" })
      #expect(button["hidden"] != nil && button["type"] == "button")
      #expect(button["aria-label"] == "Show password")
    }
  }
}
