internal import AuthFlow
internal import Emulators
internal import Pages

/// Whom a walk is about: behind each code of it, whose it was is looked for among them.
struct RecordedPeople: Sendable {
  /// Whom backstage was asked about, by an address, number or name of each.
  private(set) var accounts: [String] = []
  /// The addresses, numbers and names that were typed.
  private(set) var identifiers: [String] = []
  /// Passwords that were accepted, by identifier, as long as no other was set.
  private(set) var passwords: [String: String] = [:]
  /// Who was refused the demo users' password, as long as no other was set: they had another one before.
  private(set) var refusedDemoPassword: Set<String> = []
  private var hasNewPassword = false

  var all: [String] { accounts + identifiers }

  /// Without what was done on the pages.
  var ofBackstage: RecordedPeople {
    var people = RecordedPeople()
    people.accounts = accounts
    return people
  }

  mutating func note(accounts named: [String]) {
    for identifier in named { accounts.moveToEnd(identifier) }
  }

  mutating func noteIdentifiers(in typed: [SeenRequest.Pair]) {
    for field in typed where Self.identifying.contains(field.name) {
      identifiers.moveToEnd(field.value)
    }
  }

  /// Notes that backstage has signed somebody in.
  mutating func note(accepted password: String?, of identifier: String) {
    guard let password, !hasNewPassword else { return }
    passwords[identifier] = passwords[identifier] ?? password
  }

  private static let identifying: Set = ["identifier", "email_address", "phone_number", "username"]

  mutating func notePassword(in request: SeenRequest) {
    // A browser sends the field also where nothing was typed into it.
    guard let field = request.form.first(where: { $0.name == "password" && !$0.value.isEmpty })
    else { return }
    let isSignIn = [Address.signIn.path, Address.password.path].contains(request.path)
    if !isSignIn {
      hasNewPassword = true
    } else if let identifier = identifiers.last, !hasNewPassword {
      if request.leadsOn {
        note(accepted: field.value, of: identifier)
      } else if field.value == AccountDescription.demoPassword, request.isWrongPassword {
        refusedDemoPassword.insert(identifier)
      }
    }
  }
}

extension SeenRequest {
  /// Whether it is told that the password is not that of the account; others may be right and not good enough.
  fileprivate var isWrongPassword: Bool {
    !Self.wrongPassword.isDisjoint(with: step.fieldErrors[Field.password.name] ?? [])
  }

  /// What the APIs call it, Entra last.
  private static let wrongPassword: Set = [
    "form_password_incorrect", "form_password_or_identifier_incorrect", "invalid_grant",
  ]
}

extension [String] {
  /// Who was named last stands last, and nobody twice.
  fileprivate mutating func moveToEnd(_ identifier: String) {
    removeAll { $0 == identifier }
    append(identifier)
  }
}
