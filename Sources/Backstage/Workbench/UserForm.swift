internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

/// The form for an account: one row for each key that the auth API uses.
enum UserForm {
  /// A key of an account, its texts, and the values that it takes.
  private struct Row {
    var key: String
    var label: String
    var hint: String?
    var kind: Kind
    /// The auth APIs that use the key; others ignore it.
    var apis = Set(EmulatedAPI.allCases)

    enum Kind {
      case text
      /// Empty leaves it as it is.
      case secret
      /// Separated by commas.
      case texts
      case flag
      /// A checkbox for a key that has only this value and null.
      case switched(to: String)
      case organizations
      case tasks
      /// Addresses and phone numbers, separated by commas.
      case methods
      /// An object as JSON; the field is empty if the object has no members.
      case object
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
      kind: .text,
      apis: [.clerk]
    ),
    Row(
      key: "second_factor_phone_numbers",
      label: "Phone numbers for second factors",
      hint: list,
      kind: .texts
    ),
    Row(key: "backup_codes", label: "Backup codes", hint: list, kind: .texts, apis: [.clerk]),
    Row(
      key: "organizations",
      label: "Organisations",
      hint: list,
      kind: .organizations,
      apis: [.clerk]
    ),
    Row(
      key: "tasks",
      label: "Tasks after sign-in",
      hint: ValueShape.choices(AccountDescription.Task.allCases.map(\.rawValue)).hint,
      kind: .tasks,
      apis: [.clerk]
    ),
    Row(key: "email_second_factor", label: "Second factor by email", kind: .flag),
    Row(key: "client_trust", label: "Confirm new devices", kind: .flag, apis: [.clerk]),
    Row(
      key: "email_link",
      label: "Link by email in place of a code",
      kind: .flag,
      apis: [.clerk]
    ),
    Row(key: "enterprise", label: "Enterprise sign-in", kind: .flag),
  ]

  /// The members of the key `entra`.
  private static let entraRows: [Row] = [
    Row(
      key: "methods",
      label: "Contacts for the second factor that are not the account's own",
      hint: "Email addresses and phone numbers, separated by commas",
      kind: .methods
    ),
    Row(key: "registration_required", label: "Register a second factor first", kind: .flag),
    Row(key: "protection_policy", label: "Stopped by a protection policy", kind: .flag),
    Row(key: "declined_scopes", label: "Scopes that are declined", hint: list, kind: .texts),
    Row(
      key: "silent",
      label: "Sign in again when a token is renewed",
      kind: .switched(to: AccountDescription.Entra.Silent.interactionRequired.rawValue)
    ),
    Row(
      key: "attributes",
      label: "Attributes that the tenant has collected",
      hint: #"As JSON, such as {"city": "Rome"}; empty for none"#,
      kind: .object
    ),
  ]

  private static let list = ValueShape.texts.hint

  /// The keys that have fields.
  static var keys: [String] { rows.map(\.key) + ["entra"] }

  /// The members of `entra` that have a field.
  static var entraKeys: [String] { entraRows.map(\.key) }

  /// The name of the field for a member of `entra`: its place in the account.
  private static func entraName(_ row: Row) -> String { "entra.\(row.key)" }

  static func new(_ context: WorkbenchContext) -> WorkbenchForm {
    context.form(
      "add",
      on: .users,
      lines: lines(of: nil, behind: context.worlds.api),
      button: "Add the user"
    )
  }

  static func editing(_ account: AccountDescription, _ context: WorkbenchContext) -> WorkbenchForm {
    let fields = lines(of: account, behind: context.worlds.api)
    return context.form(
      "edit",
      on: .users,
      hidden: [
        "id": account.id ?? "", "back": UsersPage.address(of: account),
        FilledValues.field: FilledValues(of: fields).carried,
      ],
      lines: fields,
      button: "Save"
    )
  }

  /// The fields, filled with what the account has; nil for those of a new one.
  static func lines(
    of account: AccountDescription?,
    behind api: EmulatedAPI
  ) -> [FormField] {
    let json = account?.json
    let own = rows.filter { $0.apis.contains(api) }.flatMap { row in
      fields(row, called: row.key, json?[row.key] ?? .null, of: account)
    }
    switch api {
    case .clerk: return own
    case .entra:
      return own
        + entraRows.flatMap { row in
          fields(row, called: entraName(row), json?["entra"]?[row.key] ?? .null, of: account)
        }
    }
  }

  private static func fields(
    _ row: Row,
    called name: String,
    _ value: JSON,
    of account: AccountDescription?
  ) -> [FormField] {
    func line(_ text: String) -> [FormField] {
      [.line(name, label: row.label, value: text, hint: row.hint)]
    }
    switch row.kind {
    case .flag: return FormField.checkbox(name, label: row.label, isChecked: value == true)
    case .switched(to: let text):
      return FormField.checkbox(name, label: row.label, isChecked: value == .string(text))
    case .text, .texts, .tasks: return line(value.typed)
    case .secret where account == nil:
      return [.secret(name, label: "Password", hint: "Empty for an account without one")]
    case .secret: return [.secret(name, label: row.label, hint: row.hint)]
    case .organizations:
      return line(account?.organizations.map(\.name).joined(separator: ", ") ?? "")
    case .methods:
      return line(account?.entra.methods.map(\.target).joined(separator: ", ") ?? "")
    case .object: return line(value == .object([]) ? "" : value.typed)
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
    let own = rows.compactMap { row in
      form.values(of: row.key).last.flatMap { typed in
        value(row.kind, typed, organizations).map { JSON.Member(row.key, $0) }
      }
    }
    return .object(own + [entra(of: form, over: before ?? AccountDescription())].compactMap(\.self))
  }

  /// The key `entra`, which a change replaces as a whole; nil if the form changes none of it.
  private static func entra(of form: FormData, over before: AccountDescription) -> JSON.Member? {
    guard let former = before.json["entra"] else { return nil }
    var entra = former
    for row in entraRows {
      guard let typed = form.values(of: entraName(row)).last else { continue }
      entra[row.key] = value(row.kind, typed, nil)
    }
    return entra == former ? nil : JSON.Member("entra", entra)
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
    case .switched(to: let text): return typed == "true" ? .string(text) : .null
    case .methods: return .array(parts(of: typed).map(method))
    case .object:
      return typed.isEmpty ? .object([]) : JSON(decoding: Array(typed.utf8)) ?? .string(typed)
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

  /// A contact as a method; its form implies the channel.
  private static func method(_ target: String) -> JSON {
    [
      "channel": .string(Message.Channel(reaching: target).rawValue),
      "target": .string(target),
    ]
  }
}
