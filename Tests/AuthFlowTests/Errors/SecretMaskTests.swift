import AuthFlow
import Testing

@Suite("Secrets in an auth API's own words (S28)")
struct SecretMaskTests {
  @Test(
    "a secret that was sent is hidden anywhere in a text",
    arguments: [
      ("No account opens with hunter22.", "No account opens with •••."),
      ("hunter22", "•••"),
      ("Kein Konto für hunter22", "Kein Konto für •••"),
      // A search that ends at the NUL would miss what comes after it.
      ("cut\0hunter22", "cut\0•••"),
      ("hunter2 is another one", "hunter2 is another one"),
    ]
  )
  func hidden(_ text: String, _ masked: String) {
    #expect(SecretMask(["hunter22"]).text(text) == masked)
  }

  @Test("a password that is one of the API's own words is not given away by hiding it")
  func ownWords() {
    for text in ["form_password_incorrect", "Wrong password."] {
      #expect(SecretMask(["password"]).text(text) == text)
    }
  }

  @Test(
    "codes and the API's usual words stay as they are, since hiding would give secrets away"
  )
  func codes() {
    func detail(of secret: String) -> ErrorDetail {
      ErrorDetail(
        .api,
        message: "The password is too short.",
        facts: [
          .init("code", .string("form_password_length_too_short")),
          .init("long_message", .string("The password is too short.")),
        ],
        hiding: [secret]
      )
    }
    for secret in ["short", "length_too", "form"] {
      #expect(
        detail(of: secret).facts[0].value == .string("form_password_length_too_short"),
        "\(secret)"
      )
    }
    #expect(detail(of: "short").message == "The password is too short.")
    #expect(detail(of: "too short").facts[1].value == .string("The password is •••."))
    // A value that is not a code is masked, even in the place of one.
    let odd = ErrorDetail(
      .api,
      facts: [.init("code", .string("no hunter22_"))],
      hiding: ["hunter22"]
    )
    #expect(odd.facts[0].value == .string("no •••_"))
  }

  @Test("a sentence that is cut ends with an ellipsis, and a code does not (S17)")
  func cut() {
    let mask = SecretMask(["hunter22"])
    let sentence = String(repeating: "so it goes on ", count: 60)
    #expect(mask.text(sentence) == sentence.prefix(499) + "…")
    #expect(mask.text(mask.text(sentence)) == mask.text(sentence))
    let whole = String(sentence.prefix(500))
    #expect(mask.text(whole) == whole)
    let code = String(repeating: "form_code_", count: 60)
    let detail = ErrorDetail(.api, facts: [.init("code", .string(code))])
    #expect(detail.facts[0].value == .string(String(code.prefix(500))))
  }

  @Test("a secret beyond ASCII is hidden in each of its spellings")
  func spellings() {
    #expect(SecretMask(["caf\u{E9}"]).text("It was cafe\u{301}.") == "It was •••.")
  }
}
