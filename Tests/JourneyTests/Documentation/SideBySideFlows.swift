import HTTPExchange
import VestibuleTesting

extension SideBySide {
  private static func code(_ address: String, _ purpose: String)
    -> @Sendable (
      Scene, FormSession
    ) async throws -> PageSnapshot
  {
    { scene, browser in
      let code = try await scene.backstage.latestCode(to: address, purpose: purpose)
      return try await browser.submit(["code": code])
    }
  }

  private static let wrongCode = Step(words: "enters a wrong code") { scene, browser in
    try await browser.submit(["code": scene.stage.wrongCode])
  }

  static let flows: [Flow] = [
    Flow(
      title: "Signing in with a password",
      steps: [
        Step(words: "types an unknown address") { _, browser in
          try await browser.signIn("nobody@example.com")
        },
        Step(words: "types a wrong password") { _, browser in
          try await browser.signIn("ada@example.com", "wrong-one")
        },
        Step(words: "types the right one") { _, browser in
          try await browser.signIn("ada@example.com")
        },
        Step(words: "opens the account page") { _, browser in try await browser.open("/account") },
        Step(words: "gets a token for other services", api: .entra) { _, browser in
          try await browser.submit(form: "get-token")
        },
        Step(words: "signs out") { _, browser in try await browser.submit(form: "sign-out") },
      ]
    ),
    Flow(
      title: "Signing in with a code",
      steps: [
        Step(words: "types an address without a password") { _, browser in
          try await browser.signIn("cody@example.com", "")
        },
        wrongCode,
        Step(words: "enters the code", act: code("cody@example.com", "sign_in")),
      ]
    ),
    Flow(
      title: "A second factor",
      steps: [
        Step(words: "types address and password") { _, browser in
          try await browser.signIn("mia@example.com")
        },
        Step(words: "chooses the text message") { _, browser in
          try await browser.open("/sign-in/second-factor/methods")
          return try await browser.submit(form: "phone_code")
        },
        wrongCode,
        Step(words: "enters the code", act: code("+12015550123", "second_factor")),
      ]
    ),
    Flow(
      title: "Signing up",
      steps: [
        Step(words: "types an address that is taken") { _, browser in
          try await browser.signUp("ada@example.com")
        },
        Step(words: "types a new address and a password") { _, browser in
          try await browser.signUp("noor@example.com")
        },
        wrongCode,
        Step(words: "enters the code", act: code("noor@example.com", "sign_up")),
      ]
    ),
    Flow(
      title: "Resetting a password",
      steps: [
        Step(words: "types an address without a password") { _, browser in
          try await browser.forgotPassword("cody@example.com")
        },
        Step(words: "types an address") { _, browser in
          try await browser.forgotPassword("ada@example.com")
        },
        Step(words: "enters the code", act: code("ada@example.com", "reset_password")),
        Step(words: "chooses a password that is too short") { _, browser in
          try await browser.submit(["password": "short"])
        },
        Step(words: "chooses a good one") { _, browser in
          try await browser.submit(["password": "Quite-another-secret-9"])
        },
        Step(words: "checks whether it is done", api: .entra) { _, browser in
          try await browser.submit(form: "check")
        },
      ]
    ),
    Flow(
      title: "A password that has to be changed",
      steps: [
        Step(words: "types address and password") { _, browser in
          try await browser.signIn("cora@example.com")
        },
        Step(words: "has a code sent") { scene, browser in
          try await browser.submit(form: scene.stage.either("email_code", entra: "forgot-password"))
        },
        Step(words: "enters the code") { scene, browser in
          let purpose = scene.stage.either("sign_in", entra: "reset_password")
          return try await code("cora@example.com", purpose)(scene, browser)
        },
        Step(words: "chooses a new password") { _, browser in
          try await browser.submit(["password": "Quite-another-secret-9"])
        },
        Step(words: "checks whether it is done", api: .entra) { _, browser in
          try await browser.submit(form: "check")
        },
      ]
    ),
    Flow(
      title: "A second factor that has to be registered first",
      steps: [
        Step(words: "types address and password") { scene, browser in
          try await browser.signIn(
            scene.stage.either("tess@example.com", entra: "rita@example.com")
          )
        },
        Step(words: "chooses the phone", api: .clerk) { _, browser in
          try await browser.submit(form: "phone")
        },
        Step(words: "types a number") { scene, browser in
          try await browser.submit(
            scene.stage.either(
              ["phone_number": "+12015550177"],
              entra: ["method": "phone", "contact": "+12015550177"]
            )
          )
        },
        wrongCode,
        Step(words: "enters the code") { scene, browser in
          let purpose = scene.stage.either("phone_number", entra: "second_factor")
          return try await code("+12015550177", purpose)(scene, browser)
        },
        Step(words: "has kept the backup codes", api: .clerk) { _, browser in
          try await browser.submit()
        },
      ]
    ),
    Flow(
      title: "Signing up where names are asked for",
      instance: #"{"names": "required"}"#,
      steps: [
        Step(words: "types names, where they are asked for, an address and a password") {
          _,
          browser in
          try await browser.open("/sign-up")
          return try await browser.submit([
            "first_name": "Noor", "last_name": "Haddad", "email_address": "noor@example.com",
            "password": "A-good-new-password-7",
          ])
        },
        Step(words: "enters the code", act: code("noor@example.com", "sign_up")),
        Step(words: "types names", api: .entra) { _, browser in
          try await browser.submit(["first_name": "Noor", "last_name": "Haddad"])
        },
      ]
    ),
    Flow(
      title: "Going on in a browser",
      steps: [
        Step(words: "types an address of another organisation") { _, browser in
          try await browser.signIn("sven@example.com", "")
        },
        Step(words: "says too early that it is done") { _, browser in
          try await browser.submit(form: "finished")
        },
        Step(words: "signs in there and comes back") { scene, browser in
          let page = try await browser.open("/continue")
          switch scene.stage.api {
          case .clerk:
            return try await browser.open(scene.decide("approve", at: page.providerLink))
          case .entra: return try await browser.open(scene.signInAtTenant(by: page).target)
          }
        },
        Step(words: "says that it is done") { _, browser in
          try await browser.submit(form: "finished")
        },
      ]
    ),
    Flow(
      title: "Permissions that are not all granted",
      steps: [
        Step(words: "types address and password", api: .entra) { _, browser in
          try await browser.signIn("dina@example.com")
        },
        Step(words: "goes on without them", api: .entra) { _, browser in
          try await browser.submit(form: "continue")
        },
      ]
    ),
  ]
}
