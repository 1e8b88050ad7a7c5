internal import AuthFlow
internal import Emulators
internal import Pages

/// The people that a walk is about: the source of each code is sought among them.
struct RecordedPeople: Sendable {
  /// The accounts that calls of backstage were about, each by an address, number or username.
  private(set) var accounts: [String] = []
  /// The addresses, numbers and names that were typed.
  private(set) var identifiers: [String] = []
  /// The accepted passwords by identifier, as long as no new password was set.
  private(set) var passwords: [String: String] = [:]
  /// The identifiers for which the demo users' password was refused before any new one was set:
  /// they had another at the beginning.
  private(set) var refusedDemoPassword: Set<String> = []
  private var hasNewPassword = false

  var all: [String] { accounts + identifiers }

  /// The people that only calls of backstage were about.
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
    // Browsers send the field even if it is empty.
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
  /// Whether the page says that the password is not the account's; other errors reject a right one
  /// as not good enough.
  fileprivate var isWrongPassword: Bool {
    !Self.wrongPassword.isDisjoint(with: step.fieldErrors[Field.password.name] ?? [])
  }

  /// The codes of a wrong password in the APIs, Entra's last.
  private static let wrongPassword: Set = [
    "form_password_incorrect", "form_password_or_identifier_incorrect", "invalid_grant",
  ]
}

extension [String] {
  /// Moves an identifier to the end, keeping it only once.
  fileprivate mutating func moveToEnd(_ identifier: String) {
    removeAll { $0 == identifier }
    append(identifier)
  }
}
