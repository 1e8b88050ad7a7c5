/// Source: <doc:ClerkInstanceSettings>, `user_settings`.
extension EnvironmentDocument {
  var userSettings: JSON {
    [
      "attributes": attributes,
      "social": [:],
      "saml": ["enabled": false],
      // Any account may be set to sign in by it.
      "enterprise_sso": ["enabled": true, "self_serve_sso": false],
      "sign_in": ["second_factor": ["required": .bool(settings.mfaRequired)]],
      "sign_up": [
        "captcha_enabled": .bool(settings.botProtection), "captcha_widget_type": "smart",
        "custom_action_required": false,
        "progressive": true, "mode": .string(settings.signUpMode.rawValue),
        "legal_consent_enabled": .bool(settings.legalConsent),
      ],
      "restrictions": restrictions,
      "password_settings": passwordSettings,
      "username_settings": [
        "min_length": .integer(Int64(UsernameRules.lengths.lowerBound)),
        "max_length": .integer(Int64(UsernameRules.lengths.upperBound)),
        "allow_extended_special_characters": false, "allow_numeric_usernames": false,
      ],
      "actions": [
        "delete_self": true, "create_organization": .bool(settings.organizationCreation),
        "create_organizations_limit": nil,
      ],
      "attack_protection": attackProtection,
      "passkey_settings": [
        "allow_autofill": true, "show_sign_in_button": true, "satisfies_second_factor": true,
      ],
    ]
  }

  private var attributes: JSON {
    let emails = JSON.strings(emailStrategies)
    let isNamed = settings.names != .off
    return [
      "email_address": Attribute(
        isRequired: true,
        firstFactors: emails,
        verifications: emails,
        isVerifiedAtSignUp: true
      ).json,
      "phone_number": Attribute(
        isEnabled: settings.phone != .off,
        isRequired: settings.phone == .required,
        firstFactors: ["phone_code"],
        secondFactors: ["phone_code"],
        verifications: ["phone_code"],
        isVerifiedAtSignUp: true
      ).json,
      "username": Attribute(
        isEnabled: settings.username != .off,
        isRequired: settings.username == .required,
        isIdentifier: true
      ).json,
      "web3_wallet": Attribute(isEnabled: false).json,
      "first_name": Attribute(isEnabled: isNamed, isRequired: settings.names == .required).json,
      "last_name": Attribute(isEnabled: isNamed, isRequired: settings.names == .required).json,
      "password": Attribute(isRequired: true).json,
      "authenticator_app": Attribute(secondFactors: ["totp"], verifications: ["totp"]).json,
      "ticket": Attribute().json,
      "backup_code": Attribute(secondFactors: ["backup_code"]).json,
      "passkey": Attribute(isEnabled: false).json,
    ]
  }

  private struct Attribute {
    var isEnabled = true
    var isRequired = false
    var isIdentifier = false
    var firstFactors: JSON = []
    var secondFactors: JSON = []
    var verifications: JSON = []
    var isVerifiedAtSignUp = false

    var json: JSON {
      func ifEnabled(_ list: JSON) -> JSON { isEnabled ? list : [] }
      func isUsed(_ list: JSON) -> JSON { .bool(isEnabled && list != []) }
      return [
        "enabled": .bool(isEnabled),
        "required": .bool(isEnabled && isRequired),
        "used_for_first_factor": .bool(isEnabled && (isIdentifier || firstFactors != [])),
        "first_factors": ifEnabled(firstFactors),
        "used_for_second_factor": isUsed(secondFactors),
        "second_factors": ifEnabled(secondFactors),
        "verifications": ifEnabled(verifications),
        "verify_at_sign_up": .bool(isEnabled && isVerifiedAtSignUp),
        "immutable": false,
      ]
    }
  }

  private var restrictions: JSON {
    let names = [
      "allowlist", "blocklist", "allowlist_blocklist_disabled_on_sign_in",
      "block_email_subaddresses", "block_disposable_email_domains",
    ]
    return .object(names.map { JSON.Member($0, ["enabled": false]) })
  }

  private var passwordSettings: JSON {
    func requires(_ kind: InstanceSettings.CharacterClass) -> JSON {
      .bool(settings.passwordRequire.contains(kind))
    }
    return [
      "disable_hibp": .bool(!settings.leakedPasswordCheck),
      "disable_password_reverification": false,
      "min_length": .integer(Int64(settings.passwordMinLength)),
      "max_length": .integer(Int64(PasswordRules.maximumLength)),
      "require_special_char": requires(.special),
      "require_numbers": requires(.number),
      "require_uppercase": requires(.upper),
      "require_lowercase": requires(.lower),
      "show_zxcvbn": false,
      "min_zxcvbn_strength": 0,
      // An account whose password counts as leaked is refused whatever is checked of new ones.
      "enforce_hibp_on_sign_in": true,
      "allowed_special_characters": .string(PasswordRules.specialCharacters),
    ]
  }

  private var attackProtection: JSON {
    let minutes = settings.lockoutSeconds.map { JSON.integer(Int64(($0 + 59) / 60)) }
    return [
      "user_lockout": [
        "enabled": .bool(settings.lockoutAttempts > 0),
        "max_attempts": .integer(Int64(settings.lockoutAttempts)),
        "duration_in_minutes": minutes ?? 0,
      ],
      "pii": ["enabled": true],
      "email_link": ["require_same_client": true],
      "enumeration_protection": ["enabled": .bool(settings.enumerationProtection)],
    ]
  }
}
