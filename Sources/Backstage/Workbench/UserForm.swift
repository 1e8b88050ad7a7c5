internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

/// The form for an account: one row for each key.
enum UserForm {
  /// A key of an account, its texts, and the values that it takes.
  private struct Row {
    var key: String
    var label: String
    var hint: String?
    var kind: Kind

    enum Kind {
      case text
      /// Empty leaves it as it is.
      case secret
      /// Separated by commas.
      case texts
      case flag
      case organizations
      case tasks
    }
  }

  private static let rows: [Row] = [
    Row(key: "first_name", label: "First name", kind: .text),
    Row(key: "last_name", label: "Last name", kind: .text),
    Row(key: "email_addresses", label: "Email addresses", hint: list, kind: .texts),
    Row(key: "phone_numbers", label: "Phone numbers", hint: list, kind: .texts),
    Row(key: "username", label: "Username", kind: .text),
    Row(key: "password", label: "New password", hint: "Empty leaves it as it is", kind: .secret),
    Row(
      key: "totp_secret",
      label: "Key of the authenticator app",
      hint: "In base32, such as JBSWY3DPEHPK3PXP; empty for no app",
      kind: .text
    ),
    Row(
      key: "second_factor_phone_numbers",
      label: "Phone numbers for second factors",
      hint: list,
      kind: .texts
    ),
    Row(key: "backup_codes", label: "Backup codes", hint: list, kind: .texts),
    Row(key: "organizations", label: "Organisations", hint: list, kind: .organizations),
    Row(
      key: "tasks",
      label: "Tasks after sign-in",
      hint: ValueShape.choices(AccountDescription.Task.allCases.map(\.rawValue)).hint,
      kind: .tasks
    ),
    Row(key: "email_second_factor", label: "Second factor by email", kind: .flag),
    Row(key: "client_trust", label: "Confirm new devices", kind: .flag),
    Row(key: "email_link", label: "Link by email in place of a code", kind: .flag),
    Row(key: "enterprise", label: "Enterprise sign-in", kind: .flag),
  ]

  private static let list = ValueShape.texts.hint

  /// The keys that have a field.
  static var keys: [String] { rows.map(\.key) }

  static func new(_ context: WorkbenchContext) -> WorkbenchForm {
    context.form(
      "add",
      on: .users,
      lines: rows.flatMap { fields($0, of: nil) },
      button: "Add the user"
    )
  }

  static func editing(_ account: AccountDescription, _ context: WorkbenchContext) -> WorkbenchForm {
    context.form(
      "edit",
      on: .users,
      hidden: ["id": account.id ?? "", "back": UsersPage.address(of: account)],
      lines: rows.flatMap { fields($0, of: account) },
      button: "Save"
    )
  }

  private static func fields(_ row: Row, of account: AccountDescription?) -> [FormField] {
    let value = account?.json[row.key] ?? .null
    switch row.kind {
    case .flag: return FormField.checkbox(row.key, label: row.label, isChecked: value == true)
    case .text, .texts, .tasks:
      return [.line(row.key, label: row.label, value: value.typed, hint: row.hint)]
    case .secret where account == nil:
      return [.secret(row.key, label: "Password", hint: "Empty for an account without one")]
    case .secret: return [.secret(row.key, label: row.label, hint: row.hint)]
    case .organizations:
      let names = account?.organizations.map(\.name).joined(separator: ", ") ?? ""
      return [.line(row.key, label: row.label, value: names, hint: row.hint)]
    }
  }

  /// The values that were filled in, as JSON.
  ///
  /// An organization that the account already has stays as it is; in any other, the account becomes
  /// a member.
  ///
  /// - Parameters:
  ///   - form: The form that was sent.
  ///   - before: The account that is changed; nil for a new one.
  ///   - world: The world with the organizations.
  /// - Returns: The keys that the form has.
  /// - Throws: What SQLite reports.
  static func json(
    of form: FormData,
    over before: AccountDescription?,
    in world: World
  ) async throws -> JSON {
    let named = names(
      in: form.values(of: "organizations").last ?? "",
      knowing: before?.organizations.map(\.name) ?? []
    )
    var kept = before?.organizations ?? []
    let typed = try await world.organizations(named: named).map { known in
      guard let index = kept.firstIndex(where: { $0.name == known.name }) else { return known }
      return kept.remove(at: index)
    }
    // Unchanged ones are left out, because older programs accepted roles that are refused now.
    let organizations: [AccountDescription.Organization]? =
      typed == before?.organizations ? nil : typed
    return .object(
      rows.compactMap { row in
        form.values(of: row.key).last.flatMap { typed in
          value(row.kind, typed, organizations).map { JSON.Member(row.key, $0) }
        }
      }
    )
  }

  /// Whether the values include anything to sign in with.
  static func namesSomebody(_ json: JSON) -> Bool {
    let nothing: [JSON] = [.null, .array([])]
    return ["email_addresses", "phone_numbers", "username"].contains { key in
      !nothing.contains(json[key] ?? .null)
    }
  }

  private static func parts(of typed: String) -> [String] {
    typed.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The names in order; a comma may be part of a name that the account already has.
  private static func names(in typed: String, knowing known: [String]) -> [String] {
    let known = known.map { (name: $0, parts: parts(of: $0)) }.sorted {
      $0.parts.count > $1.parts.count
    }
    var rest = parts(of: typed)[...]
    var names: [String] = []
    while let next = rest.first {
      let match = known.first { !$0.parts.isEmpty && rest.starts(with: $0.parts) }
      names.append(match?.name ?? next)
      rest = rest.dropFirst(match?.parts.count ?? 1)
    }
    return names
  }

  private static func value(
    _ kind: Row.Kind,
    _ typed: String,
    _ organizations: [AccountDescription.Organization]?
  ) -> JSON? {
    switch kind {
    case .text:
      let text = typed.trimmingCharacters(in: .whitespaces)
      return text.isEmpty ? .null : .string(text)
    case .secret: return typed.isEmpty ? nil : .string(typed)
    case .texts, .tasks: return .array(parts(of: typed).map(JSON.string))
    case .flag: return .bool(typed == "true")
    case .organizations:
      guard let organizations else { return nil }
      return .array(
        organizations.map { organization in
          [
            "name": .string(organization.name), "slug": .string(organization.slug),
            "role": .string(organization.role),
          ]
        }
      )
    }
  }
}
