internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Why a call has not brought the expected answer.
enum Failure: Error, Sendable {
  /// The service answered with an error; some errors are steps.
  case refused(ServerError, traceID: String)
  /// The flow continues in a browser; the reason is for people.
  case browserRequired(reason: String?)
  /// There was no answer, or one that makes no sense.
  case failed(AuthError)
}

/// Turns a response into an answer or a failure: the status first, then the body.
///
/// Source: <doc:EntraCalls#Answers>.
struct AnswerReading {
  var now: Date
  /// Our own id of the call, for an answer that has none.
  var traceID: String
  /// Values that were sent and may be echoed.
  var secrets: [String] = []

  func answer<Answer: Decodable>(
    _ type: Answer.Type,
    in response: Response
  ) throws(Failure) -> Answer {
    let named = name(of: response)
    switch response.status.code {
    case 200:
      if let redirect = JSONBody.decode(RedirectAnswer.self, from: response.body) {
        throw .browserRequired(reason: redirect.reason.map(SecretMask(secrets).text))
      }
      guard serverError(in: response) == nil,
        let answer = JSONBody.decode(type, from: response.body)
      else { throw .failed(.nonsense(traceID: named ?? traceID, "200 of another shape")) }
      return answer
    case 400, 401:
      if let challenge = ClaimsChallenge(in: response.headerFields) {
        throw .refused(
          ServerError(error: "interaction_required", claims: challenge.claims),
          traceID: named ?? traceID
        )
      }
      guard var error = serverError(in: response) else {
        throw .failed(
          .nonsense(traceID: named ?? traceID, "\(response.status.code) without an error")
        )
      }
      let traceID = named ?? error.correlationID?.plainID ?? traceID
      error.correlationID = traceID
      throw .refused(error, traceID: traceID)
    default:
      throw .failed(fault(of: response))
    }
  }

  /// The error for a status that is neither a success nor an error of the protocol.
  func fault(of response: Response) -> AuthError {
    let status = response.status.code
    // The body counts only with 429 and 5xx.
    let isTelling = status == 429 || status >= 500
    let server = isTelling ? serverError(in: response) : nil
    let fault = CallFault(response, now: now)
    let traceID = name(of: response) ?? server?.correlationID?.plainID ?? traceID
    return AuthError(
      Problem(
        fault.reason,
        code: server?.code ?? fault.code,
        detail: server?.detail
          ?? MSALFailure(.internal, .unhandledResponse).detail(ofCall: traceID)
      ),
      traceID: traceID,
      diagnosis: "HTTP-\(status);\(MSALInternalError.unhandledResponse.name)"
    )
  }

  /// The error in the body, with what was sent hidden and then cut; nil if there is none.
  private func serverError(in response: Response) -> ServerError? {
    JSONBody.decode(ServerError.self, from: response.body)?.hiding(secrets)
  }

  /// The service's id of the call, which takes precedence over any other; nil if it repeats what
  /// was sent.
  private func name(of response: Response) -> String? {
    response.headerFields[.clientRequestID]?.plainID.flatMap(SecretMask(secrets).traceID)
  }
}

extension AuthError {
  /// The answer is not JSON, or has another shape.
  static func nonsense(traceID: String?, _ what: String) -> AuthError {
    AuthError(
      Problem(
        .serviceAnsweredNonsense,
        code: CallFault.nonsense.code,
        detail: MSALFailure(.internal, .invalidResponse).detail(ofCall: traceID)
      ),
      traceID: traceID,
      diagnosis: "\(MSALInternalError.invalidResponse.name);\(what)"
    )
  }

  init(_ error: TransportError, traceID: String?) {
    let fault = CallFault(error)
    let named = URLFault(error)
    self.init(
      Problem(fault.reason, code: fault.code, detail: named.detail(ofCall: traceID)),
      traceID: traceID,
      diagnosis: named.name
    )
  }
}
