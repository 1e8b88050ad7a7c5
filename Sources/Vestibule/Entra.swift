internal import AuthFlow
internal import Emulators
internal import EntraNativeAuth
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes

extension EmulatedAuthAPI {
  /// Microsoft Entra's native authentication.
  public static let entra: EmulatedAuthAPI = .entra(scopes: [
    "api://orders/Read", "api://orders/Write",
  ])

  /// The same, for sign-ins that request those scopes.
  public static func entra(scopes: [String]) -> EmulatedAuthAPI {
    let tenant = NativeTenant(
      path: "/\(EntraTenant.defaultName)",
      clientID: EntraApp.demoID,
      scopes: scopes
    )
    return EmulatedAuthAPI(
      name: "Entra",
      api: .entra,
      emulator: { EntraEmulator(worlds: $0, address: $1.address, report: $1.report) },
      operations: EntraEmulator.operations,
      isBrowserPage: { EntraEmulator.isBrowserPage($0) },
      refusal: { status, _, words, request in
        EntraEmulator.refusal(status: status.code, words, to: request, at: WallClock.machine.now)
      },
      provider: { world in
        let provider = EntraProvider(
          transport: world.transport,
          tenant: tenant,
          clock: world.clock,
          policy: { AppPolicy(world.settings, supportAddress: world.supportAddress) },
          additionalHeaderFields: world.headerFields,
          keyRefetchInterval: 0,
          version: Version.number
        )
        return { links in
          // The emulator's browser pages are served only below backstage.
          provider.sending(links, browserBase: links.origin + EmulatedBrowserPages.prefix)
        }
      },
      survey: { .entra(tenant, settings: $0) }
    )
  }
}

extension RemoteAuthAPI {
  /// A tenant by its authority (`https://contoso.ciamlogin.com/contoso.onmicrosoft.com`), for the app with
  /// that ID and the scopes that its sign-ins request beyond those of every sign-in.
  ///
  /// - Throws: `StartFailure` unless the authority is https, or http to this machine (S26).
  public static func entra(
    authority: String,
    clientID: String,
    scopes: [String] = []
  ) throws(StartFailure) -> Self {
    guard let (address, path) = NativeTenant.parts(ofAuthority: authority) else {
      // Text before an @ may be a password.
      let text = authority.contains("@") ? "" : ": \(authority)"
      throw StartFailure(
        .configuration,
        "The authority is not https://HOST/TENANT, with nothing after it\(text)"
      )
    }
    let origin = try BaseURL(checking: address)
    let tenant = NativeTenant(
      path: path,
      clientID: clientID,
      scopes: scopes,
      browserBase: origin.description
    )
    return RemoteAuthAPI(
      description: "Entra tenant at \(origin)\(path)",
      origin: origin,
      provider: { transport in
        let provider = EntraProvider(
          transport: transport,
          tenant: tenant,
          clock: .machine,
          version: Version.number
        )
        return { provider.sending($0, browserBase: nil) }
      },
      survey: .entra(tenant)
    )
  }
}

extension AuthAPISurvey {
  /// A tenant describes nothing but its issuer: all that can be known is that it answers.
  ///
  /// - Parameters:
  ///   - tenant: The tenant to ask.
  ///   - settings: The settings of an emulated tenant.
  /// - Returns: What `check` asks and shows.
  fileprivate static func entra(
    _ tenant: NativeTenant,
    settings: InstanceSettings? = nil
  ) -> Self {
    AuthAPISurvey(
      ask: { transport throws(AuthError) in
        let provider = EntraProvider(
          transport: transport,
          tenant: tenant,
          clock: .machine,
          policy: { AppPolicy(settings, supportAddress: nil) }
        )
        let issuer = try await provider.issuer()
        let instance = try await provider.describeInstance()
        var facts: [(name: String, value: String)] = [
          ("issuer", issuer.printable),
          ("app", "not checked: only a sign-in shows whether the tenant knows it"),
        ]
        if let settings { facts += settings.facts(with: instance.passwordRules) }
        return Answer(heading: "Tenant", facts: facts)
      },
      obstacles: { _ in
        ["no Entra tenant answers at this address: is --authority the right one?"]
      }
    )
  }
}

extension InstanceSettings {
  /// The emulated tenant's behaviour, which a tenant does not describe.
  fileprivate func facts(with rules: PasswordRules) -> [(name: String, value: String)] {
    let attributes = entraRequiredAttributes.map {
      $0.isRequired ? $0.name : "\($0.name) (optional)"
    }
    return [
      ("sign-up", signUpMode.rawValue), ("names", names.rawValue),
      ("attributes", attributes.listed),
      ("challenge types", entraChallengeTypes?.listed ?? "all"),
      ("new passwords", rules.words), ("lock", lock),
    ]
  }
}

extension AppPolicy {
  /// The policy of an app that was set up for an emulated tenant with those settings.
  fileprivate init(_ settings: InstanceSettings?, supportAddress: String?) {
    guard let settings else {
      self.init(supportAddress: supportAddress)
      return
    }
    self.init(
      asksIdentifierFirst: settings.identifierFirst,
      takesSignUps: settings.signUpMode == .public,
      usesPasswords: settings.entraChallengeTypes?.contains("password") ?? true,
      minimumPasswordLength: settings.passwordMinLength,
      requiredCharacterClasses: settings.passwordRequire.map(\.rule),
      sessionLifetime: Double(settings.sessionSeconds),
      supportAddress: supportAddress
    )
  }
}

extension InstanceSettings.CharacterClass {
  fileprivate var rule: PasswordRules.CharacterClass {
    switch self {
    case .upper: .upper
    case .lower: .lower
    case .number: .number
    case .special: .special
    }
  }
}
