internal import HTTPExchange
internal import Locking

/// The document that describes the instance to clients, encoded, with what it was made from.
struct CachedEnvironment: Sendable {
  var settings: InstanceSettings
  var application: EmulatedApplication
  var home: ClerkHome
  var bytes: [UInt8]
}

extension World {
  /// The encoded document; it is made again when the settings, the brand or the home have changed.
  ///
  /// - Parameter home: The site that it links to.
  /// - Returns: JSON.
  func environmentDocument(leadingTo home: ClerkHome) -> [UInt8] {
    let (settings, application) = (settings, application)
    return environment.withLock { cached in
      if let cached, cached.settings == settings, cached.application == application,
        cached.home == home
      {
        return cached.bytes
      }
      let document = EnvironmentDocument(settings: settings, application: application, home: home)
      let bytes = document.json.encoded
      cached = CachedEnvironment(
        settings: settings,
        application: application,
        home: home,
        bytes: bytes
      )
      return bytes
    }
  }
}

/// Source: <doc:ClerkInstanceSettings>.
struct EnvironmentDocument {
  let settings: InstanceSettings
  let application: EmulatedApplication
  /// The site that it links to.
  let home: ClerkHome

  var json: JSON {
    [
      "auth_config": authConfig,
      "display_config": displayConfig,
      "user_settings": userSettings,
      "organization_settings": organizationSettings,
      "fraud_settings": [
        "object": "fraud_settings", "native": ["device_attestation_mode": "disabled"],
      ],
      "commerce_settings": [
        "billing": [
          "stripe_publishable_key": nil, "free_trial_requires_payment_method": false,
          "user": ["enabled": false, "has_paid_plans": false],
          "organization": ["enabled": false, "has_paid_plans": false],
        ]
      ],
      "api_keys_settings": [
        "enabled": false, "user_api_keys_enabled": false, "orgs_api_keys_enabled": false,
      ],
      "protect_config": ["loaders": []],
      "client_debug_mode": false,
      "partitioned_cookies": true,
      "maintenance_mode": false,
    ]
  }

  private var authConfig: JSON {
    [
      "object": "auth_config",
      "id": "aconf_vestibule",
      "first_name": names,
      "last_name": names,
      "email_address": "required",
      "phone_number": onOff(settings.phone),
      "username": onOff(settings.username),
      "password": "required",
      "identification_requirements": [["email_address"]],
      "identification_strategies": .strings(
        Contact.Kind.allCases.filter(settings.admits).map(\.rawValue)
      ),
      "first_factors": .strings(firstFactors),
      "second_factors": .strings(secondFactors),
      "email_address_verification_strategies": .strings(emailStrategies),
      "single_session_mode": true,
      "enhanced_email_deliverability": false,
      "test_mode": .bool(settings.testMode),
      "url_based_session_syncing": true,
      "claimed_at": nil,
      "reverification": false,
      "session_minter": false,
      "native_settings": [
        "object": "native_settings", "api_enabled": true,
        "trusted_device_sign_in_enabled": false,
        "trusted_device_enrollment_prompt_after_sign_in_enabled": false,
        "trusted_device_enrollment_prompt_after_sign_up_enabled": false,
      ],
    ]
  }

  private var displayConfig: JSON {
    let origin = home.origin
    var json: JSON = [
      "object": "display_config",
      "id": "display_config_vestibule",
      "instance_environment_type": "development",
      "application_name": .string(application.name),
      "theme": [:],
      "preferred_sign_in_strategy": settings.identifierFirst ? "otp" : "password",
      "logo_image_url": "",
      "favicon_image_url": "",
      "sign_in_url": .string("\(origin)/sign-in"),
      "sign_up_url": .string("\(origin)/sign-up"),
      "waitlist_url": .string("\(origin)\(home.waitlistPath)"),
      "support_email": .string(application.supportAddress),
      "branded": false,
      "experimental_force_oauth_first": false,
      "clerk_js_version": "6",
      "show_devmode_warning": true,
      "captcha_oauth_bypass": [],
      "captcha_heartbeat": false,
    ]
    for name in [
      "home_url", "user_profile_url", "oauth_consent_url", "after_sign_in_url", "after_sign_up_url",
      "after_sign_out_one_url", "after_sign_out_all_url", "after_switch_session_url",
      "after_join_waitlist_url", "organization_profile_url", "create_organization_url",
      "after_leave_organization_url", "after_create_organization_url", "logo_link_url",
    ] { json[name] = .string("\(origin)/") }
    json["terms_url"] = .optional(application.termsURL ?? settings.termsURL)
    json["privacy_policy_url"] = .optional(
      application.privacyPolicyURL ?? settings.privacyPolicyURL
    )
    for name in [
      "google_one_tap_client_id", "help_url", "logo_url", "favicon_url", "logo_image",
      "favicon_image", "captcha_public_key", "captcha_widget_type", "captcha_public_key_invisible",
      "captcha_provider",
    ] { json[name] = .null }
    return json
  }

  private var organizationSettings: JSON {
    var json: JSON = [
      "enabled": true,
      "max_allowed_memberships": .integer(Int64(OrganizationRules.maximumMemberships)),
      "actions": ["admin_delete": true],
      "domains": ["enabled": false, "enrollment_modes": [], "default_role": "org:member"],
      "slug": ["disabled": false],
      "creator_role": "org:admin",
    ]
    // Implied if every session needs an organization; otherwise the SDKs offer the personal account.
    if let isForced = settings.forceOrganizationSelection
      ?? (settings.organizationsRequired ? true : nil)
    {
      json["force_organization_selection"] = .bool(isForced)
    }
    return json
  }

  private var names: JSON {
    switch settings.names {
    case .off: "off"
    case .optional: "on"
    case .required: "required"
    }
  }

  /// Unlike among the attributes, one that is for signing in only counts as `off` here.
  private func onOff(_ attribute: InstanceSettings.Attribute) -> JSON {
    switch attribute {
    case .off, .signIn: "off"
    case .optional: "on"
    case .required: "required"
    }
  }

  private var firstFactors: [String] {
    emailStrategies + ["password", "reset_password_email_code", "enterprise_sso"]
      + (settings.admits(.phoneNumber) ? ["phone_code", "reset_password_phone_code"] : [])
  }

  private var secondFactors: [String] {
    (settings.admits(.phoneNumber) ? ["phone_code"] : []) + ["totp", "backup_code"]
  }

  var emailStrategies: [String] { settings.emailStrategies }
}

extension InstanceSettings {
  /// The strategies that verify an email address.
  var emailStrategies: [String] { emailLink ? ["email_code", "email_link"] : ["email_code"] }
}

extension ClerkTransaction {
  /// `GET /v1/environment`.
  func environment() -> ClerkOutcome {
    .encoded(world.environmentDocument(leadingTo: call.place.home(for: call.caller)))
  }

  /// `PATCH /v1/environment`: a page reports its origin to the instance.
  func updateEnvironment() throws -> ClerkOutcome {
    guard call.caller.isPage else {
      throw ClerkRefusal.badRequest("origin_missing", "Only pages send the instance their origin.")
    }
    return environment()
  }
}
