import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Messages in the language of their reader")
struct MessageLanguageTests {
  /// A browser's languages, and words of a code's message that no other language has.
  static let codes = [
    ("en-GB,en;q=0.8", "is your code for Vestibule. It is valid for 10 minutes."),
    ("de-AT,de;q=0.9,en;q=0.8", "ist Ihr Code für Vestibule. Er ist 10 Minuten gültig."),
    ("fr", "est votre code pour Vestibule. Il est valable 10 minutes."),
    ("es-MX", "es su código para Vestibule. Es válido durante 10 minutos."),
    ("pt-BR", "é o seu código de Vestibule. O código é válido por 10 minutos."),
    ("ja", "Vestibuleのコードは"), ("ar", "هو رمز التحقق الخاص بك في"),
    ("en-XA", "îîš ýööûûŕ"), ("nl", "is your code for"),
  ]

  /// The language of the message, if it is written differently from the wish.
  private static let tags = [
    "en-GB,en;q=0.8": "en", "de-AT,de;q=0.9,en;q=0.8": "de", "es-MX": "es", "pt-BR": "pt",
    "nl": "en",
  ]

  @Test("Clerk: sign-in, reset, sign-up, phone", arguments: codes)
  func clerk(_ wish: String, _ words: String) async throws {
    let world = try TestWorld { $0.phone = .optional }
    let client = world.client()
    client.acceptLanguage = wish
    try await client.begin("cody@example.com", ["strategy": "email_code"])
    try await client.begin("ada@example.com", ["strategy": "reset_password_email_code"])
    try await client.begin("+12015550142", ["strategy": "phone_code"])
    let signUp = try await client.post(
      "/v1/client/sign_ups",
      ["email_address": "new@example.com", "password": "a-good-new-password-7"]
    )
    try await client.prepareSignUp(signUp.id)
    let messages = try await world.world.outbox.messages()
    #expect(
      messages.map(\.purpose) == [.signUp, .signIn, .resetPassword, .signIn],
      "newest first"
    )
    for message in messages { #expect(message.text.contains(words), "\(message.text)") }
    let languages = Set(messages.map(\.language))
    #expect(languages.count == 1 && languages.first == Self.tags[wish, default: wish])
  }

  @Test("Entra: sign-in, reset, sign-up, text message", arguments: codes)
  func entra(_ wish: String, _ words: String) async throws {
    let world = try EntraWorld()
    let client = world.client()
    client.acceptLanguage = wish
    try await client.initiate("cody@example.com")
    try await client.challenge()
    try await client.startReset("ada@example.com")
    try await client.go("resetpassword/v1.0/challenge")
    try await client.startSignUp("new@example.com", ["password": "a-good-new-password-7"])
    try await client.go("signup/v1.0/challenge")
    try await client.signIn("mia@example.com")
    let methods = try await client.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
    let text = try #require(methods.first { $0["challenge_channel"] == "sms" }?["id"]?.string)
    try await client.challenge(["id": text])
    let messages = try await world.world.outbox.messages()
    #expect(
      messages.map(\.purpose) == [.secondFactor, .signUp, .resetPassword, .signIn],
      "newest first"
    )
    #expect(messages.first?.channel == .sms && messages.first?.subject == nil)
    for message in messages { #expect(message.text.contains(words), "\(message.text)") }
  }

  @Test(
    "links and invitations",
    arguments: [
      ("de", "bei Vestibule anzumelden", "Sie sind eingeladen"),
      ("ja", "サインインするには", "招待が届いています"), ("ar", "لتسجيل الدخول", "لديك دعوة"),
      ("pt", "para entrar em Vestibule", "Você recebeu um convite"),
      ("es", "para iniciar sesión", "Ha recibido una invitación"),
      ("fr", "pour vous connecter", "Vous avez reçu une invitation"),
      ("en", "to sign in to Vestibule", "You are invited"),
    ]
  )
  func links(_ wish: String, _ link: String, _ invitation: String) async throws {
    let world = try TestWorld { $0.emailLink = true }
    let client = world.client()
    client.acceptLanguage = wish
    let begun = try await client.begin(
      "link@example.com",
      ["strategy": "email_link", "redirect_url": "http://localhost:8080/sign-in/link"]
    )
    #expect(begun.status == 200)
    #expect(try await world.world.outbox.messages().first?.text.contains(link) == true)
    let sent = try await ClerkInvitation.send(
      to: "new@example.com",
      signingUpAt: "http://localhost:8080/sign-up",
      readBy: wish,
      in: world.world
    )
    #expect(sent != nil)
    let mail = try #require(try await world.world.outbox.messages().first)
    #expect(mail.subject == invitation && mail.text.contains("\n\(sent?.link ?? "")\n"))
  }

  @Test("an application's language wins over the browser's, until a later call wishes for another")
  func locale() async throws {
    let world = try TestWorld()
    func text() async throws -> String {
      try #require(try await world.world.outbox.messages().first).text
    }
    let client = world.client()
    client.acceptLanguage = "fr"
    try await client.begin("cody@example.com", ["strategy": "email_code", "locale": "de-DE"])
    #expect(try await text().contains("ist Ihr Code"))
    let quiet = world.client()
    let begun = try await quiet.begin("ada@example.com", ["locale": "ja-JP"])
    try await quiet.prepareFirst(begun.id, "email_code")
    #expect(try await text().contains("コード"))
    quiet.acceptLanguage = "es"
    try await quiet.prepareFirst(begun.id, "reset_password_email_code")
    #expect(try await text().contains("es su código"), "the reader now has another language")
  }

  @Test("a sign-up may change its language, to none but a language tag")
  func changedLocale() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post(
      "/v1/client/sign_ups",
      [
        "email_address": "new@example.com", "password": "a-good-new-password-7",
        "locale": "fr-FR",
      ]
    )
    let path = "/v1/client/sign_ups/\(begun.id)"
    let refused = try await client.send(.patch, path, ["locale": "xx-nope!"])
    #expect(refused.refusal == "422 form_param_format_invalid locale")
    try await client.send(.patch, path, ["locale": "de-DE"])
    try await client.send(.patch, path, ["unsafe_metadata": "{}"])
    try await client.prepareSignUp(begun.id)
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.text.contains("ist Ihr Code"))
  }
}
