internal import Emulators

/// Settings that one press changes together.
struct SettingPreset {
  /// One effect of a press, as a part of a sentence, and the settings that cause it.
  struct Effect {
    var words: String
    var changes: JSON

    init(_ words: String, _ changes: JSON) { (self.words, self.changes) = (words, changes) }

    /// Whether the auth API uses all of the settings.
    func isKnown(to api: EmulatedAPI) -> Bool {
      (changes.members ?? []).allSatisfy { InstanceSettings.isAsked($0.name, by: api) }
    }
  }

  var name: String
  var title: String
  private var effects: [Effect]

  init(_ name: String, _ title: String, _ effects: [Effect]) {
    (self.name, self.title, self.effects) = (name, title, effects)
  }

  /// One sentence.
  var words: String {
    let words = effects.map(\.words).joined(separator: ", ")
    return "\(words.prefix(1).uppercased())\(words.dropFirst())."
  }

  var changes: JSON { .object(effects.flatMap { $0.changes.members ?? [] }) }

  /// The presets that have an effect over an auth API, without settings that it never uses.
  static func all(behind api: EmulatedAPI) -> [Self] {
    let offered = offers.compactMap { preset -> Self? in
      let known = preset.effects.filter { $0.isKnown(to: api) }
      return known.isEmpty ? nil : Self(preset.name, preset.title, known)
    }
    return offered + [newApp]
  }

  private static let offers: [Self] = [
    Self(
      "strict",
      "Strict",
      [
        Effect("hides who has an account", ["enumeration_protection": true]),
        Effect("confirms new devices", ["client_trust": "needs_client_trust"]),
        Effect("requires a second factor", ["mfa_required": true]),
        Effect(
          "asks for passwords of 12 characters and three kinds",
          ["password_min_length": 12, "password_require": ["upper", "lower", "number"]]
        ),
        Effect("locks after 3 failures", ["lockout_attempts": 3]),
      ]
    ),
    Self(
      "email-links",
      "Links by email",
      [
        Effect(
          """
          asks for the identifier first, and emails may bring a link instead of a code; \
          sign-up still asks for a password
          """,
          ["identifier_first": true, "email_link": true]
        )
      ]
    ),
    Self(
      "organizations",
      "Organisations",
      [
        Effect(
          "nobody gets in without an organisation; people create their own",
          [
            "organizations_required": true, "organization_creation": true,
            "force_organization_selection": .null,
          ]
        )
      ]
    ),
  ]

  /// Sets every setting, whatever the auth API: an import may have changed any.
  private static let newApp = Self(
    "new-app",
    "First day of a new app",
    [Effect("every setting at its default", InstanceSettings().json)]
  )
}
