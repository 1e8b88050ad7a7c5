internal import Emulators
internal import Foundation
internal import Pages

/// What happens when an account signs in, in words and badges.
struct SignInPrediction {
  /// A highlighted word, and how it is highlighted.
  struct Badge: Hashable {
    enum Kind: String { case stop, ask, plain }

    var words: String
    var kind: Kind
  }

  var badges: [Badge] = []
  var sentences: [String] = []

  var words: String { sentences.joined(separator: " ") }

  init(
    of account: AccountDescription,
    hasPassword: Bool,
    behind api: EmulatedAPI,
    under settings: InstanceSettings,
    _ moments: Moments
  ) {
    if account.emailAddresses.isEmpty, account.phoneNumbers.isEmpty, account.username == nil {
      stands(
        alone: Badge(words: "Nothing to sign in with", kind: .stop),
        "Has no address, phone number or username."
      )
    } else if api == .clerk, !account.hasIdentifier(under: settings) {
      stands(
        alone: Badge(words: "Nothing to sign in with", kind: .stop),
        "Has only what the settings turn off: a phone number or username."
      )
    } else if account.banned {
      stands(alone: Badge(words: "Banned", kind: .stop), "Is refused.")
    } else if let lock = account.locked {
      let end = lock.seconds.map { moments.now.addingTimeInterval(Double($0)) }
      let until = end.map { "until \(moments.shortly($0))" } ?? "until you unlock it"
      stands(alone: Badge(words: "Locked", kind: .stop), "Is refused \(until).")
    } else if account.enterprise {
      let words = "Leads to the sign-in page of the enterprise."
      stands(alone: Badge(words: "Enterprise", kind: .plain), words)
      if api == .clerk { tasks(account, settings) }
    } else {
      switch api {
      case .clerk:
        firstFactor(account, hasPassword, byLink: account.emailLink)
        clerk(account, hasPassword, settings)
      case .entra: entra(account, hasPassword, settings)
      }
    }
  }

  private mutating func stands(alone badge: Badge, _ sentence: String) {
    (badges, sentences) = ([badge], [sentence])
  }

  private mutating func ask(_ badge: String, _ sentence: String) {
    badges.append(Badge(words: badge, kind: .ask))
    sentences.append(sentence)
  }

  private mutating func firstFactor(
    _ account: AccountDescription,
    _ hasPassword: Bool,
    byLink: Bool
  ) {
    guard hasPassword else {
      badges.append(Badge(words: byLink ? "Link by email" : "Code", kind: .plain))
      sentences.append(
        byLink ? "Signs in with a link by email." : "Signs in with a code that is sent."
      )
      return
    }
    badges.append(Badge(words: "Password", kind: .plain))
    switch account.passwordState {
    case .ok: sentences.append("Signs in with the password.")
    case .compromised:
      ask("Compromised password", "Has to replace the password, which is known to others.")
    case .leaked: ask("Leaked password", "Has to reset the password, which was in a leak.")
    }
  }

  private mutating func secondFactor(_ means: [String]) {
    guard !means.isEmpty else { return }
    ask("Second factor", "Then a second factor: \(means.joined(separator: ", ")).")
  }

  private static func name(of factor: AccountDescription.SecondFactor) -> String {
    switch factor {
    case .authenticatorApp: "authenticator app"
    case .text: "text"
    case .email: "email"
    }
  }

  private mutating func clerk(
    _ account: AccountDescription,
    _ hasPassword: Bool,
    _ settings: InstanceSettings
  ) {
    var means = account.secondFactors.map(Self.name)
    if hasPassword, means.isEmpty { deviceTrust(account, settings) }
    // Backup codes replace another factor, and are not asked for by themselves.
    if !means.isEmpty, !account.backupCodes.isEmpty { means.append("backup code") }
    secondFactor(means)
    tasks(account, settings)
  }

  /// What a device that is new to the account has to confirm after a password.
  private mutating func deviceTrust(_ account: AccountDescription, _ settings: InstanceSettings) {
    guard account.clientTrust || settings.clientTrust != .off else { return }
    if !account.emailAddresses.isEmpty {
      ask("New device", "Confirms a new device once, with a code by email.")
    } else if !account.phoneNumbers.isEmpty, settings.phone != .off {
      ask("New device", "Confirms a new device once, with a code by text.")
    }
  }

  /// The tasks of the account, and those that the settings give to everybody.
  private mutating func tasks(_ account: AccountDescription, _ settings: InstanceSettings) {
    for task in AccountDescription.Task.allCases {
      let isKept = account.tasks.contains(task)
      switch task {
      case .resetPassword:
        if isKept { ask("New password", "Then chooses a new password.") }
      case .chooseOrganization:
        if isKept || settings.organizationsRequired {
          ask("Organisation", Self.choice(of: account, settings))
        }
      case .setUpSecondFactor:
        // The task stays on the account, but asks nothing of somebody who has a second factor.
        if isKept || settings.mfaRequired, account.secondFactors.isEmpty {
          ask("Sets up a factor", "Then sets up a second factor.")
        }
      }
    }
  }

  private static func choice(
    of account: AccountDescription,
    _ settings: InstanceSettings
  ) -> String {
    let count = account.organizations.count
    let isOffered =
      !account.organizationInvitations.isEmpty || !account.organizationSuggestions.isEmpty
    let others = settings.forceOrganizationSelection == false ? ", or the personal account" : ""
    if count > 1 { return "Then chooses one of \(count) organisations\(others)." }
    if count == 1 { return "Then chooses its organisation\(others)." }
    if settings.organizationCreation { return "Then creates an organisation\(others)." }
    if isOffered { return "Then joins an organisation\(others)." }
    return others.isEmpty
      ? "Then cannot go on: there is no organisation to choose, and none may be created."
      : "Then chooses the personal account."
  }

  /// What follows the first factor; a second factor follows only a password.
  private mutating func entra(
    _ account: AccountDescription,
    _ hasPassword: Bool,
    _ settings: InstanceSettings
  ) {
    func allows(_ type: String) -> Bool { settings.entraChallengeTypes?.contains(type) ?? true }
    let hasPassword = hasPassword && allows("password")
    guard hasPassword || allows("oob") else {
      return stands(alone: Badge(words: "Browser", kind: .plain), "Continues in a browser.")
    }
    firstFactor(account, hasPassword, byLink: false)
    let entra = account.entra
    let means = hasPassword ? account.entraSecondFactors.map(Self.name) : []
    secondFactor(means)
    if hasPassword, means.isEmpty, entra.registrationRequired || settings.mfaRequired {
      ask("Registration", "Registers a strong method first.")
    }
    if entra.protectionPolicy {
      ask("Protection policy", "Is stopped by a protection policy.")
    }
    if !entra.declinedScopes.isEmpty {
      ask("Declined scopes", "Is granted all but \(entra.declinedScopes.joined(separator: ", ")).")
    }
    if entra.silent != nil { ask("Claims", "Has to sign in again when its token is renewed.") }
  }
}

extension AccountDescription {
  /// Whether it has an identifier that the settings let people sign in with.
  fileprivate func hasIdentifier(under settings: InstanceSettings) -> Bool {
    !emailAddresses.isEmpty || (!phoneNumbers.isEmpty && settings.phone != .off)
      || (username != nil && settings.username != .off)
  }
}
