@_spi(Provider) import AuthFlow
import Foundation
import Localization
import Testing
import TestSupport

@testable import Pages

@Suite("Words of one's own for the attributes of a sign-up")
struct AttributeWordsTests {
  private static let age = SignUpForm.Entry(
    Field(named: "extension_Age"),
    isRequired: true,
    label: "Age",
    attribute: "extension_Age",
    format: .natural
  )
  private static let postalCode = SignUpForm.Entry(
    .postalCode,
    isRequired: false,
    attribute: "postalCode"
  )
  private static let colour = SignUpForm.Entry(
    Field(named: "attribute_password"),
    isRequired: true,
    label: "Password",
    choices: ["Red", "Blue"],
    attribute: "password"
  )

  private static let english = #"""
    {
      "attribute.extension_Age": "age in years",
      "attribute.extension_Age.hint": "As of today.",
      "attribute.postalCode.hint": "4 to 6 digits.",
      "attribute.password": "Colour of the gate"
    }
    """#
  private static let german = #"""
    {
      "attribute.extension_Age": "Alter in Jahren",
      "attribute.postalCode": "PLZ",
      "attribute.postalCode.hint": "4 bis 6 Ziffern.",
      "attribute.password": "Farbe des Tors"
    }
    """#

  private static func page(_ values: [Field: String] = [:]) throws -> MissingDetailsPage {
    let attempt = SignUpAttempt(
      continuation: Continuation("c"),
      values: [.emailAddress: "ada@example.com"]
    )
    return MissingDetailsPage(
      prompt: try #require(
        MissingDetailsPrompt(attempt: attempt, entries: [age, postalCode, colour])
      ),
      rules: PasswordRules(minimumLength: 8),
      values: values
    )
  }

  private static func frame(_ language: String, error: AuthError? = nil) throws -> PageFrame {
    var frame = Fixture.frame(error: error)
    frame.language = try #require(LanguageTag(language))
    return frame
  }

  /// Calls with a renderer that has both files.
  private static func withOwnWords(_ body: (PageRenderer) throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      try writeFile(english, to: "\(folder)/messages/en.json")
      try writeFile(german, to: "\(folder)/messages/de.json")
      try body(PageRenderer(templates: folder))
    }
  }

  private static func fields(
    _ renderer: PageRenderer,
    in frame: PageFrame
  ) throws -> [[String: Any]] {
    let bytes = renderer.json(try page(), in: frame)
    let twin = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let form = try #require((twin["forms"] as? [[String: Any]])?.first)
    return try #require(form["fields"] as? [[String: Any]])
  }

  @Test("label a field and give it a hint in each language, on the page and in its twin")
  func labels() async throws {
    try await Self.withOwnWords { renderer in
      for (language, labels, hints) in [
        (
          "en", ["Age in years", "Postal code (optional)", "Colour of the gate"],
          ["As of today.", "4 to 6 digits.", nil]
        ),
        (
          "de", ["Alter in Jahren", "PLZ (optional)", "Farbe des Tors"],
          ["As of today.", "4 bis 6 Ziffern.", nil]
        ),
      ] as [(String, [String?], [String?])] {
        let frame = try Self.frame(language)
        let html = try HTML(renderer.html(Self.page(), in: frame))
        let entries = [Self.age, Self.postalCode, Self.colour]
        let ids = entries.map { "continue-\($0.field.name)" }
        let shown = ids.map { id in html.all("label").first { $0["for"] == id }?.text }
        #expect(shown == labels)
        #expect(ids.map { html.element(id: "\($0)-hint")?.text } == hints)
        let fields = try Self.fields(renderer, in: frame)
        #expect(fields.map { $0["label"] as? String } == labels)
        #expect(fields.map { $0["hint"] as? String } == hints)
        #expect(fields.map { $0["inputmode"] as? String } == ["numeric", nil, nil])
      }
    }
  }

  @Test("without them a field has the auth API's label or ours, and a number says what it is")
  func none() throws {
    let fields = try Self.fields(renderer.get(), in: Self.frame("en"))
    #expect(
      fields.map { $0["label"] as? String } == ["Age", "Postal code (optional)", "Password"]
    )
    #expect(fields.map { $0["hint"] as? String } == ["A whole number.", nil, nil])
  }

  /// What is said of each field, and what it is called above all fields.
  private static func told(
    _ renderer: PageRenderer,
    _ reason: Reason,
    of values: [Field: String] = [:],
    in language: String = "en"
  ) throws -> (labels: [String], messages: [String]) {
    let fields = [age.field, postalCode.field, colour.field]
    let error = AuthError(fields.map { Problem(reason, at: $0, code: "any") })
    let frame = try Self.frame(language, error: error)
    let presentation = renderer.presentation(of: try page(values), in: frame)
    return (
      presentation.fieldMessages.map(\.label),
      presentation.fieldMessages.flatMap(\.messages).map(\.text)
    )
  }

  @Test("are what messages and the list of errors call the field")
  func messages() async throws {
    try await Self.withOwnWords { renderer in
      let english = try Self.told(renderer, .missing)
      #expect(english.labels == ["Age in years", "Postal code", "Colour of the gate"])
      #expect(
        english.messages == [
          "Fill in this field: Age in years", "Enter your postal code",
          "Fill in this field: Colour of the gate",
        ]
      )
      let german = try Self.told(renderer, .missing, in: "de")
      #expect(german.labels == ["Alter in Jahren", "PLZ", "Farbe des Tors"])
      #expect(german.messages == german.labels.map { "Füllen Sie dieses Feld aus: \($0)" })
    }
  }

  @Test("a refused value is told what is wanted: a whole number, or what the hint says")
  func refused() async throws {
    try await Self.withOwnWords { renderer in
      for text in ["12.5", "twelve", ""] {
        let told = try Self.told(renderer, .valueInvalid, of: [Self.age.field: text])
        #expect(
          told.messages == [
            "Age in years must be a whole number",
            "Check the postal code: it cannot be used here. 4 to 6 digits.",
            "Check the Colour of the gate: it cannot be used here.",
          ]
        )
      }
      // The number is whole: the service objects to something else.
      let whole = try Self.told(renderer, .valueInvalid, of: [Self.age.field: "1234"])
      #expect(
        whole.messages.first == "Check the age in years: it cannot be used here. As of today."
      )
    }
    let plain = try Self.told(renderer.get(), .valueInvalid, of: [Self.age.field: "1234"])
    #expect(
      plain.messages == [
        "Check the Age: it cannot be used here.", "Check the postal code: it cannot be used here.",
        "Check the Password: it cannot be used here.",
      ]
    )
  }

  @Test("a hint that the message repeats is not shown twice (F2)")
  func saidOnce() async throws {
    try await Self.withOwnWords { renderer in
      let problem = Problem(.valueInvalid, at: Self.postalCode.field, code: "any")
      let frame = try Self.frame("en", error: AuthError(problem))
      let html = try HTML(renderer.html(Self.page(), in: frame))
      #expect(html.element(id: "continue-postalCode-hint") == nil)
      let message = try #require(html.element(id: "continue-postalCode-error"))
      #expect(message.text.hasSuffix("4 to 6 digits."))
    }
  }

  @Test(
    "a whole number has the keys for digits, unless it may be negative",
    arguments: [(.natural, "numeric"), (.integer, nil), (nil, nil)]
      as [(SignUpForm.Entry.Format?, String?)]
  )
  func keyboard(format: SignUpForm.Entry.Format?, inputMode: String?) throws {
    var entry = Self.age
    entry.format = format
    let page = SignUpPage(
      form: SignUpForm(mode: .open, fields: [entry]),
      rules: PasswordRules(minimumLength: 8),
      values: [:],
      acceptsTerms: false
    )
    let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
    let input = try #require(html.element(id: "sign-up-extension_Age"))
    #expect(input["inputmode"] == inputMode)
    #expect(input["type"] == "text")
    #expect((html.element(id: "sign-up-extension_Age-hint") == nil) == (format == nil))
  }

  @Test("cannot use values, and need a name; any language may have them alone")
  func faults() async throws {
    for text in [#"{"attribute.age": "{count} years"}"#, #"{"attribute.": "Nothing."}"#] {
      try await withTemporaryFolder { folder in
        try writeFile(text, to: "\(folder)/messages/en.json")
        #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
        #expect(TemplateCheck.wordFaults(under: folder).count == 1)
      }
    }
    try await withTemporaryFolder { folder in
      try writeFile(Self.german, to: "\(folder)/messages/de.json")
      #expect(TemplateCheck.wordFaults(under: folder) == [])
      let own = try PageRenderer(templates: folder)
      let fields = try Self.fields(own, in: Self.frame("de"))
      #expect(fields.first?["label"] as? String == "Alter in Jahren")
      #expect(try Self.fields(own, in: Self.frame("en")).first?["label"] as? String == "Age")
    }
  }
}
