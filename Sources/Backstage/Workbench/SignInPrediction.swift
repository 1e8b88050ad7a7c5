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
    _ moments: Moments
  ) {
    if account.emailAddresses.isEmpty, account.phoneNumbers.isEmpty, account.username == nil {
      stands(
        alone: Badge(words: "Nothing to sign in with", kind: .stop),
        "Has no address, phone number or username."
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
    } else {
      firstFactor(account, hasPassword)
      secondFactor(account, behind: api)
      switch api {
      case .clerk: tasks(account)
      case .entra: entra(account.entra)
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

  private mutating func firstFactor(_ account: AccountDescription, _ hasPassword: Bool) {
    guard hasPassword else {
      let means = account.emailLink ? "Link by email" : "Code"
      badges.append(Badge(words: means, kind: .plain))
      sentences.append(
        account.emailLink ? "Signs in with a link by email." : "Signs in with a code that is sent."
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

  private mutating func secondFactor(_ account: AccountDescription, behind api: EmulatedAPI) {
    if account.clientTrust {
      ask("New device", "Confirms a new device once, with a code by email.")
    }
    var means = Self.secondFactors(of: account, behind: api)
    guard !means.isEmpty else { return }
    // Backup codes replace another factor, and are not asked for by themselves.
    if !account.backupCodes.isEmpty, api.takesAppCodes { means.append("backup code") }
    ask("Second factor", "Then a second factor: \(means.joined(separator: ", ")).")
  }

  /// The means of a second factor.
  private static func secondFactors(
    of account: AccountDescription,
    behind api: EmulatedAPI
  ) -> [String] {
    account.secondFactors.compactMap { factor -> String? in
      switch factor {
      case .authenticatorApp: api.takesAppCodes ? "authenticator app" : nil
      case .text: "text"
      case .email: "email"
      }
    }
  }

  private mutating func tasks(_ account: AccountDescription) {
    for task in account.tasks {
      switch task {
      case .resetPassword: ask("New password", "Then chooses a new password.")
      case .chooseOrganization:
        let count = account.organizations.count
        ask(
          "Organisation",
          count == 0
            ? "Then creates an organisation." : "Then chooses one of \(count) organisations."
        )
      case .setUpSecondFactor:
        // The task stays on the account, but asks nothing of somebody who has a second factor.
        guard Self.secondFactors(of: account, behind: .clerk).isEmpty else { continue }
        ask("Sets up a factor", "Then sets up a second factor.")
      }
    }
  }

  private mutating func entra(_ entra: AccountDescription.Entra) {
    if entra.protectionPolicy {
      ask("Protection policy", "Is stopped by a protection policy.")
    }
    if entra.registrationRequired {
      ask("Registration", "Registers a strong method first.")
    }
    if !entra.declinedScopes.isEmpty {
      ask("Declined scopes", "Is granted all but \(entra.declinedScopes.joined(separator: ", ")).")
    }
    if entra.silent != nil { ask("Claims", "Has to sign in again when its token is renewed.") }
  }
}

extension EmulatedAPI {
  /// Whether it accepts codes of an authenticator app, and backup codes instead.
  fileprivate var takesAppCodes: Bool {
    switch self {
    case .clerk: true
    case .entra: false
    }
  }
}
