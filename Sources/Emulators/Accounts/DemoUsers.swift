extension AccountDescription {
  /// The accounts of a fresh world.
  ///
  /// Source: README, "Run it".
  public static let demoUsers: [Self] = [
    user("ada") { $0.phoneNumbers = ["+12015550110"] },
    user("mia") {
      $0.totpSecret = demoSecret
      $0.secondFactorPhoneNumbers = ["+12015550123"]
      $0.backupCodes = (1...10).map { "mia-0000-00" + ($0 < 10 ? "0\($0)" : "\($0)") }
    },
    user("ezra") { $0.emailSecondFactor = true },
    user("nia") { $0.clientTrust = true },
    user("lou") { $0.locked = Lock(seconds: 1800) },
    user("lena") { $0.locked = Lock() },
    user("cora") { $0.passwordState = .compromised },
    user("kurt") {
      $0.emailAddresses = []
      $0.username = "kurt"
      $0.passwordState = .compromised
    },
    user("pia") { $0.passwordState = .leaked },
    user("otto") {
      $0.organizations = [
        Organization(name: "Harbour Books", slug: "harbour-books"),
        Organization(name: "Pine Street", slug: "pine-street"),
      ]
      $0.tasks = [.chooseOrganization]
    },
    user("olga") { $0.tasks = [.chooseOrganization] },
    user("tess") { $0.tasks = [.setUpSecondFactor] },
    user("trix") { $0.tasks = [.resetPassword, .chooseOrganization, .setUpSecondFactor] },
    user("phil") {
      $0.emailAddresses = []
      $0.phoneNumbers = ["+12015550142"]
    },
    user("cody") { $0.password = nil },
    user("link") {
      $0.password = nil
      $0.emailLink = true
    },
    user("sven") {
      $0.password = nil
      $0.enterprise = true
    },
    user("bann") { $0.banned = true },
    user("dina") { $0.entra.declinedScopes = ["api://orders/Write"] },
    user("iris") { $0.entra.silent = .interactionRequired },
    user("pola") { $0.entra.protectionPolicy = true },
    user("rita") { $0.entra.registrationRequired = true },
  ]

  /// The accounts of a fresh world behind the emulated Entra; the other demo users would show
  /// nothing there.
  public static let entraDemoUsers: [Self] = [
    user("ada") { $0.phoneNumbers = ["+12015550110"] },
    user("mia") {
      $0.secondFactorPhoneNumbers = ["+12015550123"]
      $0.emailSecondFactor = true
    },
    user("ezra") { $0.emailSecondFactor = true },
    user("lou") { $0.locked = Lock(seconds: 1800) },
    user("lena") { $0.locked = Lock() },
    user("cora") { $0.passwordState = .compromised },
    user("pia") { $0.passwordState = .leaked },
    user("cody") { $0.password = nil },
    user("sven") {
      $0.password = nil
      $0.enterprise = true
    },
    user("bann") { $0.banned = true },
    user("dina") { $0.entra.declinedScopes = ["api://orders/Write"] },
    user("iris") { $0.entra.silent = .interactionRequired },
    user("pola") { $0.entra.protectionPolicy = true },
    user("rita") { $0.entra.registrationRequired = true },
  ]

  /// The password of every demo user that has one.
  package static let demoPassword = "walk-right-in-42"
  private static let demoSecret = "JBSWY3DPEHPK3PXP"

  private static func user(_ name: String, _ change: (inout Self) -> Void) -> Self {
    var user = Self()
    user.id = "user_\(name)"
    user.emailAddresses = ["\(name)@example.com"]
    user.firstName = name.prefix(1).uppercased() + name.dropFirst()
    user.password = demoPassword
    change(&user)
    return user
  }
}
