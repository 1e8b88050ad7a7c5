internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Turns an answer that is not a success into a refusal: the status first, then the codes.
struct ErrorReading: Sendable {
  var purpose: Call.Purpose
  var passwordRules: PasswordRules?
  var now: Date
  /// Values that were sent and may be echoed.
  var secrets: [String] = []

  func refusal(of response: Response) -> RefusedCall {
    guard (400...599).contains(response.status.code),
      let envelope = JSONBody.decode(ErrorEnvelope.self, from: response.body)
    else {
      let fault = CallFault(response, now: now)
      return RefusedCall(AuthError(unanswered: fault, diagnosis: response.statusForLogs))
    }
    let traceID = envelope.traceID.flatMap(SecretMask(secrets).traceID)?
      .cut(to: ErrorEnvelope.longestWord)
    let problems = envelope.items.map {
      problem(
        of: $0,
        status: response.status.code,
        retryAt: response.retryDate(now: now),
        traceID: traceID
      )
    }
    var error =
      AuthError(problems, traceID: traceID)
      ?? .nonsense("\(response.statusForLogs);no-problem", traceID: traceID)
    if problems.contains(where: { ErrorCatalogue.codesOfSetUp.contains($0.code) }) {
      error.blame = .setUp
    }
    return RefusedCall(error, client: envelope.client)
  }

  /// The problem at a provider's page, as a verification reports it.
  func problem(of item: ErrorEnvelope.Item) -> Problem {
    problem(of: item, status: 422, retryAt: nil, traceID: nil, isOfProvidersPage: true)
  }

  private func problem(
    of item: ErrorEnvelope.Item,
    status: Int,
    retryAt: Date?,
    traceID: String?,
    isOfProvidersPage: Bool = false
  ) -> Problem {
    let verdict = verdict(
      on: item,
      status: status,
      retryAt: retryAt,
      isOfProvidersPage: isOfProvidersPage
    )
    let mask = SecretMask(secrets)
    func word(_ text: String) -> String { mask.code(text).cut(to: ErrorEnvelope.longestWord) }
    let code = word(item.code)
    let named = item.parameter.map { parameter in
      let field = Field(parameter: parameter)
      // The name of a known field is not a secret, even if part of it was typed by chance.
      return field.known == nil ? Field(named: word(parameter)) : field
    }
    let field: Field? =
      switch verdict.place {
      case .field(let usual): named ?? usual
      // A wait or a broken service is not about a field.
      case .banner: status == 429 || status >= 500 ? nil : named
      }
    return Problem(
      verdict.reason,
      at: field,
      code: code,
      message: item.message.map(mask.text),
      suggestion: item.suggestions.isEmpty
        ? nil : mask.text(item.suggestions.joined(separator: " ")),
      detail: ErrorDetail(
        .api,
        message: item.message,
        facts: item.facts(code: code, parameter: item.parameter.map(word), traceID: traceID),
        hiding: secrets
      ),
      sessionInTheWay: item.sessionInTheWay
    )
  }

  private func verdict(
    on item: ErrorEnvelope.Item,
    status: Int,
    retryAt: Date?,
    isOfProvidersPage: Bool
  ) -> Verdict {
    let circumstances = Circumstances(
      purpose: purpose,
      parameter: item.parameter,
      message: item.message,
      lockedUntil: item.lockoutSeconds.map(lockEnd),
      retryAt: retryAt,
      passwordRules: passwordRules,
      isOfProvidersPage: isOfProvidersPage,
      now: now
    )
    let listed = ErrorCatalogue.verdict(on: item.code, in: circumstances)
    switch status {
    case 429:
      if case .resendTooSoon = listed?.reason, let listed { return listed }
      return .banner(.tooManyRequests(until: retryAt))
    // Whether the code is known or not, the person may not do this (R3a).
    case 401: return listed ?? .field(.forbidden)
    case 503: return .banner(.serviceUnavailable)
    case 504: return .banner(.serviceTimedOut)
    case 500...: return listed ?? .banner(.serviceAnsweredNonsense)
    default: return listed ?? .field(.unrecognised)
    }
  }

  /// When a lock ends: never in the past, and at most ten years ahead.
  private func lockEnd(after seconds: Double) -> Date {
    now.addingTimeInterval(min(max(seconds, 0), 315_360_000))
  }
}

extension ErrorEnvelope.Item {
  /// The session that the API names, or that it means without naming it if the identifier is signed
  /// in already.
  fileprivate var sessionInTheWay: SessionInTheWay? {
    sessionID.map(SessionInTheWay.named)
      ?? (code == "identifier_already_signed_in" ? .unnamed : nil)
  }

  /// Everything that the API said, under its names; code, parameter and trace id as they are kept.
  fileprivate func facts(
    code: String,
    parameter: String?,
    traceID: String?
  ) -> [JSONValue.Member] {
    [
      JSONValue.Member("code", .string(code)),
      JSONValue.Member("message", .string(orNull: shortMessage)),
      JSONValue.Member("long_message", .string(orNull: longMessage)),
      JSONValue.Member("parameter", .string(orNull: parameter)),
      JSONValue.Member("meta", meta ?? .null),
      JSONValue.Member("trace_id", .string(orNull: traceID)),
    ]
  }
}

extension AuthError {
  /// The error for a missing or useless answer, with null under the other names of the API's
  /// errors.
  init(unanswered fault: CallFault, traceID: String? = nil, diagnosis: String? = nil) {
    let unsaid = ["message", "long_message", "parameter", "meta"]
    let facts =
      fault.detail.facts + unsaid.map { JSONValue.Member($0, .null) }
      + [JSONValue.Member("trace_id", .string(orNull: traceID))]
    self.init(
      Problem(fault.reason, code: fault.code, detail: ErrorDetail(.client, facts: facts)),
      traceID: traceID,
      diagnosis: diagnosis
    )
  }
}

extension Response {
  var statusForLogs: String { "HTTP-\(status.code)" }

  /// The diagnosis that the answer has no value of that type, as it is logged.
  func lacking(_ type: Any.Type) -> String { "\(statusForLogs);no-\(type)" }
}

extension HTTPField.Name {
  // swift-format-ignore: NeverForceUnwrap
  static let clerkAPIVersion = Self("Clerk-API-Version")!
}
