import Masking
import Testing

@Suite("A secret that was sent and is repeated (S17, S28)")
struct EchoedSecretsTests {
  @Test(
    "is hidden as it was sent, and as it is written in addresses, forms, JSON and HTML",
    arguments: [
      ("Combo secret+77%", "You typed Combo secret+77%."),
      ("Combo secret+77%", "You typed Combo%20secret%2B77%25."),
      ("Combo secret+77%", "You typed Combo%20secret%2b77%25."),
      ("Combo secret+77%", "You typed Combo+secret%2B77%25."),
      // An address within a field of another one.
      ("Combo secret+77%", "You typed Combo%2520secret%252B77%2525."),
      ("Combo secret+77%", "You typed Combo%2520secret%252b77%2525."),
      ("Combo secret+77%", "You typed Combo%2Bsecret%252B77%2525."),
      ("Combo secret+77%", "You typed Combo%2bsecret%252b77%2525."),
      ("Combo secret", "You typed Combo%2Bsecret."),
      ("Combo/secret", "You typed Combo%252fsecret."),
      ("Fuchs🦊bau", "You typed Fuchs%25F0%259F%25A6%258Abau."),
      ("Combo secret+77%", #"You typed Combo secret\u002b77%."#),
      (#"a"b\c/d"#, #"You typed a\"b\\c\/d."#),
      ("tab\there", #"You typed tab\there."#),
      // A document within a string of another.
      (#"a"b\c/d"#, #"You typed a\\\"b\\\\c\\/d."#),
      ("secré", #"You typed secr\\u00e9."#),
      ("Fuchs🦊bau", #"You typed Fuchs\ud83e\udd8abau."#),
      ("Fuchs🦊bau", "You typed Fuchs%F0%9F%A6%8Abau."),
      ("caf\u{E9}s", "You typed cafe\u{301}s."),
      ("cafe\u{301}s", "You typed caf\u{E9}s."),
      (#"a<"&'z>"#, "You typed a&lt;&quot;&amp;&#x27;z&gt;."),
      (#"a<"&'z>"#, "You typed a&#60;&#34;&#38;&apos;z&#X3e;."),
      (#"a<"&'z>"#, "You typed a&#060;&#x00022;&amp;&#39;z>."),
      ("Fuchs🦊bau", "You typed Fuchs&#x1F98A;bau."),
      // Even if what looks like an escape cannot be read as one.
      ("100%ig", "You typed 100%ig."),
      ("100%25ig", "You typed 100%25ig."),
      (#"back\slash"#, #"You typed back\slash."#),
      ("R&D; lab", "You typed R&D; lab."),
      ("a&#x110000;b&", "You typed a&#x110000;b&."),
      // White space around it is no loss.
      ("Combo-secret ", "You typed Combo-secret."),
      ("\t secr<t\u{A0}", "You typed secr&lt;t."),
      (" secret-77 ", "You typed  secret-77 ."),
    ]
  )
  func spellings(_ secret: String, _ text: String) {
    #expect(EchoedSecrets([secret]).hidden(in: text, by: "•••") == "You typed •••.")
  }

  @Test(
    "half a pair of escapes does not keep what follows it from being hidden",
    arguments: [
      ("\\uZebr\u{E4}", #"\uZebr\u00e4"#), ("🦊bau", #"\ud83e\udd8abau"#),
      ("Zebr\u{E4}", #"\u005aebr\u00e4"#),
    ]
  )
  func halfPair(_ secret: String, _ written: String) {
    let hidden = EchoedSecrets([secret]).hidden(in: #"You typed \ud83d\#(written)."#, by: "•••")
    #expect(hidden == #"You typed \ud83d•••."#)
  }

  @Test(
    "half a pair of escapes may also be the last of a text, or be followed by no escape",
    arguments: ["", "u", #"\"#, #"\u"#, " bau"]
  )
  func halfPairAlone(_ rest: String) {
    let hidden = EchoedSecrets(["hunter22"]).hidden(in: #"hunter22 \ud83d\#(rest)"#, by: "•••")
    #expect(hidden == #"••• \ud83d\#(rest)"#)
  }

  @Test(
    "is hidden even next to a mark or joiner that belongs to another character",
    arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"]
  )
  func neighbours(_ mark: String) {
    let plain = EchoedSecrets(["Combo-secret-77"])
    #expect(
      plain.hidden(in: "You typed Combo-secret-77\(mark).", by: "•••") == "You typed •••\(mark)."
    )
    let marked = EchoedSecrets(["\(mark)Combo-secret-77"])
    #expect(marked.hidden(in: "You typed \(mark)Combo-secret-77.", by: "•••") == "You typed •••.")
  }

  @Test("is hidden every time it occurs, and not within the replacement of another")
  func several() {
    let words = EchoedSecrets(["secr", "<sec"])
    #expect(words.hidden(in: #"secr \ secr%41+"#, by: "<secret>") == #"<secret> \ <secret>%41+"#)
    let secrets = EchoedSecrets(["hunter22", "hunter22-and-more"])
    #expect(
      secrets.hidden(in: "hunter22-and-more, hunter22, hunter22", by: "•") == "•, •, •"
    )
  }

  @Test("bytes without secrets stay as they were, and so do the API's own words")
  func nothing() {
    let bytes = Array(#"{"code":"form_password_incorrect","at":"100%+\u00e4"}"#.utf8)
    #expect(EchoedSecrets(["hunter22"]).hidden(in: bytes, by: "•") == nil)
    #expect(EchoedSecrets(["password", "abc"]).hidden(in: bytes, by: "•") == nil)
    #expect(EchoedSecrets([" password", "at  ", "    "]).hidden(in: bytes, by: "•") == nil)
  }
}
