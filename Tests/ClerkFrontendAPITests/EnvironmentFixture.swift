extension Fixture {
  /// A whole environment, as <doc:ClerkInstanceSettings#The-environment> describes it.
  static let environment = """
    {
      "auth_config": {
        "object": "auth_config", "id": "aconf_39aKpLlB5eOuX8pJdZ3eVm1nCaS", "first_name": "on",
          "last_name": "on", "email_address": "required",
        "phone_number": "on", "username": "off", "password": "required",
          "identification_requirements": [["email_address"]],
        "identification_strategies": ["email_address", "phone_number"],
        "first_factors": ["email_code", "password", "phone_code", "reset_password_email_code",
          "reset_password_phone_code"],
        "second_factors": ["phone_code", "totp", "backup_code"],
          "email_address_verification_strategies": ["email_code"], "single_session_mode": true,
        "enhanced_email_deliverability": false, "test_mode": true,
          "url_based_session_syncing": true, "claimed_at": null, "reverification": false,
        "native_settings": {
          "object": "native_settings", "api_enabled": true,
            "trusted_device_sign_in_enabled": false,
          "trusted_device_enrollment_prompt_after_sign_in_enabled": false,
            "trusted_device_enrollment_prompt_after_sign_up_enabled": false
        }
      },
      "display_config": {
        "object": "display_config", "id": "display_config_39aKqMmC6fPvY9qKeA4fWn2oDbT",
          "instance_environment_type": "development",
        "application_name": "Harbour Demo", "theme": {},
          "preferred_sign_in_strategy": "password", "logo_image_url": "", "favicon_image_url": "",
        "home_url": "https://demo.example.test",
          "sign_in_url": "https://demo.example.test/sign-in",
          "sign_up_url": "https://demo.example.test/sign-up",
        "user_profile_url": "https://demo.example.test/user",
          "waitlist_url": "https://demo.example.test/waitlist",
        "oauth_consent_url": "https://demo.example.test/consent",
          "after_sign_in_url": "https://demo.example.test/",
        "after_sign_up_url": "https://demo.example.test/",
          "after_sign_out_one_url": "https://demo.example.test/",
        "after_sign_out_all_url": "https://demo.example.test/",
          "after_switch_session_url": "https://demo.example.test/",
        "after_join_waitlist_url": "https://demo.example.test/",
          "organization_profile_url": "https://demo.example.test/org",
        "create_organization_url": "https://demo.example.test/org/new",
          "after_leave_organization_url": "https://demo.example.test/",
        "after_create_organization_url": "https://demo.example.test/",
          "logo_link_url": "https://demo.example.test/", "support_email": "help@example.test",
        "branded": false, "experimental_force_oauth_first": false, "clerk_js_version": "6",
          "show_devmode_warning": true, "google_one_tap_client_id": null,
        "help_url": null, "privacy_policy_url": null, "terms_url": null, "logo_url": null,
          "favicon_url": null, "logo_image": null, "favicon_image": null,
        "captcha_public_key": null, "captcha_widget_type": null,
          "captcha_public_key_invisible": null, "captcha_provider": null,
          "captcha_oauth_bypass": [],
        "captcha_heartbeat": false
      },
      "user_settings": {
        "attributes": {
          "email_address": {
            "enabled": true, "required": true, "used_for_first_factor": true,
              "first_factors": ["email_code"], "used_for_second_factor": false,
            "second_factors": [], "verifications": ["email_code"], "verify_at_sign_up": true,
              "immutable": false
          },
          "phone_number": {
            "enabled": true, "required": false, "used_for_first_factor": true,
              "first_factors": ["phone_code"], "used_for_second_factor": true,
            "second_factors": ["phone_code"], "verifications": ["phone_code"],
              "verify_at_sign_up": true, "immutable": false
          },
          "username": {
            "enabled": false, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "web3_wallet": {
            "enabled": false, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "first_name": {
            "enabled": true, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "last_name": {
            "enabled": true, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "password": {
            "enabled": true, "required": true, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "authenticator_app": {
            "enabled": true, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": true, "second_factors": ["totp"],
            "verifications": ["totp"], "verify_at_sign_up": false, "immutable": false
          },
          "ticket": {
            "enabled": true, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          },
          "backup_code": {
            "enabled": true, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": true,
            "second_factors": ["backup_code"], "verifications": [], "verify_at_sign_up": false,
              "immutable": false
          },
          "passkey": {
            "enabled": false, "required": false, "used_for_first_factor": false,
              "first_factors": [], "used_for_second_factor": false, "second_factors": [],
            "verifications": [], "verify_at_sign_up": false, "immutable": false
          }
        },
        "social": {}, "saml": {"enabled": false}, "enterprise_sso": {"enabled": false,
          "self_serve_sso": false}, "sign_in": {"second_factor": {"required": false}},
        "sign_up": {
          "captcha_enabled": false, "captcha_widget_type": "smart",
            "custom_action_required": false, "progressive": true, "mode": "public",
          "legal_consent_enabled": false
        },
        "restrictions": {
          "allowlist": {"enabled": false}, "blocklist": {"enabled": false},
            "allowlist_blocklist_disabled_on_sign_in": {"enabled": false},
          "block_email_subaddresses": {"enabled": false},
            "block_disposable_email_domains": {"enabled": false}
        },
        "password_settings": {
          "disable_hibp": false, "disable_password_reverification": false, "min_length": 8,
            "max_length": 72, "require_special_char": false,
          "require_numbers": false, "require_uppercase": false, "require_lowercase": false,
            "show_zxcvbn": false, "min_zxcvbn_strength": 0,
          "enforce_hibp_on_sign_in": true, "allowed_special_characters": "!#$%&_"
        },
        "username_settings": {"min_length": 4, "max_length": 64,
          "allow_extended_special_characters": false, "allow_numeric_usernames": false},
        "actions": {"delete_self": true, "create_organization": true,
          "create_organizations_limit": null},
        "attack_protection": {
          "user_lockout": {"enabled": true, "max_attempts": 10, "duration_in_minutes": 60},
            "pii": {"enabled": true}, "email_link": {"require_same_client": true},
          "enumeration_protection": {"enabled": false}
        },
        "passkey_settings": {"allow_autofill": true, "show_sign_in_button": true,
          "satisfies_second_factor": true}
      },
      "organization_settings": {
        "enabled": true, "max_allowed_memberships": 5, "actions": {"admin_delete": true},
        "domains": {"enabled": false, "enrollment_modes": [], "default_role": "org:member"},
          "slug": {"disabled": false}, "creator_role": "org:admin"
      },
      "fraud_settings": {"object": "fraud_settings",
        "native": {"device_attestation_mode": "disabled"}},
      "commerce_settings": {
        "billing": {
          "stripe_publishable_key": null, "free_trial_requires_payment_method": false,
            "user": {"enabled": false, "has_paid_plans": false},
          "organization": {"enabled": false, "has_paid_plans": false}
        }
      },
      "api_keys_settings": {"enabled": false, "user_api_keys_enabled": false,
        "orgs_api_keys_enabled": false}, "protect_config": {"loaders": []},
      "client_debug_mode": false, "partitioned_cookies": true, "maintenance_mode": false
    }
    """
}
