internal import HTTPExchange
internal import AuthAPIClient
@_spi(Provider) internal import AuthFlow
internal import Foundation

/// An answer that sends the flow to a browser; checked before anything else is read.
///
/// Source: <doc:EntraChallengeTypes#Browser-required>.
struct RedirectAnswer: Decodable {
  let reason: String?

  enum CodingKeys: String, CodingKey {
    case challengeType = "challenge_type"
    case reason = "redirect_reason"
    case error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(String.self, forKey: .challengeType) == "redirect" else {
      throw DecodingError.dataCorruptedError(
        forKey: .challengeType,
        in: container,
        debugDescription: "not a redirect"
      )
    }
    reason = container.adornment(String.self, at: .reason)
  }
}

/// An answer with nothing but the token for the next step.
struct ContinuedAnswer: Decodable {
  let continuation: Continuation
  let expiresIn: TimeInterval?

  enum CodingKeys: String, CodingKey {
    case token = "continuation_token"
    case expiresIn = "expires_in"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    continuation = Continuation(try container.requiredText(at: .token))
    expiresIn = container.adornment(Double.self, at: .expiresIn)
  }
}

/// The last answer of a sign-up; without a token the account exists, but no sign-in follows.
struct SignedUpAnswer: Decodable {
  let continuation: Continuation?

  enum CodingKeys: String, CodingKey { case token = "continuation_token" }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let token = try container.decodeIfPresent(String.self, forKey: .token)
    continuation = token.flatMap { $0.isEmpty ? nil : Continuation($0) }
  }
}

/// How a code reaches the person.
///
/// Source: <doc:EntraChallengeTypes#Challenge-answers>.
enum CodeChannel: String, Hashable, Sendable {
  case email, sms

  /// Nil for an unknown channel; case is ignored.
  init?(named name: String) { self.init(rawValue: name.lowercased()) }

  var factorKind: Factor.Kind {
    switch self {
    case .email: .emailCode
    case .sms: .phoneCode
    }
  }
}

/// What a challenge asks for.
///
/// Source: <doc:EntraChallengeTypes#Challenge-answers>, <doc:EntraMultifactor#Registration>.
struct ChallengeAnswer: Decodable {
  enum Kind: Hashable, Sendable {
    case password
    case code(SentCode)
    /// The contact was proven before, and no code is sent; only in a registration.
    case preverified
  }

  struct SentCode: Hashable, Sendable {
    var channel: CodeChannel
    /// Masked, except in a registration, which repeats it as it was sent; nil if the service does
    /// not say.
    var destination: String?
    var length: Int
    var resendInterval: TimeInterval?
  }

  let continuation: Continuation
  let kind: Kind

  enum CodingKeys: String, CodingKey {
    case token = "continuation_token"
    case type = "challenge_type"
    case channel = "challenge_channel"
    case label = "challenge_target_label"
    case target = "challenge_target"
    case length = "code_length"
    case interval
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    continuation = Continuation(try container.requiredText(at: .token))
    switch try container.decode(String.self, forKey: .type) {
    case "password": kind = .password
    case "preverified": kind = .preverified
    case "oob": kind = .code(try SentCode(from: container))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .type,
        in: container,
        debugDescription: "unknown"
      )
    }
  }
}

extension ChallengeAnswer.SentCode {
  fileprivate init(
    from container: KeyedDecodingContainer<ChallengeAnswer.CodingKeys>
  ) throws {
    guard let channel = CodeChannel(named: try container.requiredText(at: .channel)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .channel,
        in: container,
        debugDescription: "unknown"
      )
    }
    self.channel = channel
    destination = container.text(at: .label) ?? container.text(at: .target)
    length = try container.decode(Int.self, forKey: .length)
    guard (1...32).contains(length) else {
      throw DecodingError.dataCorruptedError(
        forKey: .length,
        in: container,
        debugDescription: "no length"
      )
    }
    resendInterval = container.adornment(Double.self, at: .interval)
  }
}

/// The methods that may be used, or registered.
struct MethodsAnswer: Decodable {
  struct Method: Decodable, Hashable, Sendable {
    let id: String
    let channel: String
    let hint: String?

    enum CodingKeys: String, CodingKey {
      case id
      case type = "challenge_type"
      case channel = "challenge_channel"
      case hint = "login_hint"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.requiredText(at: .id)
      _ = try container.requiredText(at: .type)
      channel = try container.requiredText(at: .channel)
      hint = container.text(at: .hint)
    }
  }

  let continuation: Continuation
  /// Never empty.
  let methods: [Method]

  enum CodingKeys: String, CodingKey {
    case token = "continuation_token"
    case methods
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    continuation = Continuation(try container.requiredText(at: .token))
    methods = try container.decode([Method].self, forKey: .methods)
    guard !methods.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .methods,
        in: container,
        debugDescription: "empty"
      )
    }
  }
}

extension MethodsAnswer.Method {
  /// The method as a factor; nil for an unknown channel.
  var factor: Factor? {
    CodeChannel(named: channel).map {
      Factor(kind: $0.factorKind, destination: hint, reference: id)
    }
  }
}

/// Whether a new password has taken effect.
///
/// Source: <doc:EntraResettingPasswords#Completion>.
struct PollAnswer: Decodable {
  enum Status: String, Decodable, CaseIterable {
    case notStarted = "not_started"
    case inProgress = "in_progress"
    case succeeded, failed
  }

  let status: Status
  let continuation: Continuation?

  enum CodingKeys: String, CodingKey {
    case status
    case token = "continuation_token"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    status = try container.decode(Status.self, forKey: .status)
    let token = try container.decodeIfPresent(String.self, forKey: .token)
    continuation = token.flatMap { $0.isEmpty ? nil : Continuation($0) }
  }
}

/// The tokens of a grant.
///
/// Source: <doc:EntraTokenRenewal#Token-answers>.
struct TokenAnswer: Decodable {
  let accessToken: String
  let refreshToken: String?
  let idToken: String?
  /// Nil if everything that was requested is granted.
  let scope: String?
  let expiresIn: TimeInterval
  let refreshIn: TimeInterval?

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case idToken = "id_token"
    case type = "token_type"
    case scope
    case expiresIn = "expires_in"
    case refreshIn = "refresh_in"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = try container.requiredText(at: .accessToken)
    refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
    idToken = try container.decodeIfPresent(String.self, forKey: .idToken)
    scope = try container.decodeIfPresent(String.self, forKey: .scope)
    expiresIn = try container.decode(Double.self, forKey: .expiresIn)
    let type = try container.decode(String.self, forKey: .type)
    guard type == "Bearer", (1...315_360_000).contains(expiresIn) else {
      throw DecodingError.dataCorruptedError(
        forKey: .type,
        in: container,
        debugDescription: "no usable token"
      )
    }
    refreshIn = container.adornment(Double.self, at: .refreshIn)
  }
}
