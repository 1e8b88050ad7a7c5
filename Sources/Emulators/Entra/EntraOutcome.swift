internal import HTTPTypes

/// The outcome of a native authentication call.
///
/// A refusal that is *returned* keeps what the call changed (a counted failure, a token that an
/// error carries); one that is *thrown* undoes it.
enum EntraOutcome: Sendable {
  case success(JSON)
  /// The app cannot continue natively: a browser is required.
  case browserRequired(String)
  case refused(EntraRefusal)
}

extension UnsignedResponse {
  /// - Parameters:
  ///   - outcome: The outcome of the call.
  ///   - trace: The ids by which the answer can be found again.
  init(_ outcome: EntraOutcome, _ trace: EntraTrace) {
    switch outcome {
    case .success(let document): self.init(document, trace)
    case .browserRequired(let reason):
      self.init(["challenge_type": "redirect", "redirect_reason": .string(reason)], trace)
    case .refused(let refusal): self.init(refusal, trace)
    }
  }

  init(_ document: JSON, status: Int = 200, _ trace: EntraTrace) {
    self.init(
      status: status,
      headerFields: [
        .contentType: "application/json; charset=utf-8",
        .cacheControl: "no-store, no-cache",
        .pragma: "no-cache",
        .clientRequestID: trace.correlationID,
        .requestID: trace.traceID,
      ],
      body: .json(document)
    )
  }

  init(_ refusal: EntraRefusal, _ trace: EntraTrace) {
    self.init(refusal.json(trace), status: refusal.status, trace)
    headerFields[.retryAfter] = refusal.retryAfter.map(String.init)
    if !refusal.allowedMethods.isEmpty {
      headerFields[.allow] = refusal.allowedMethods.joined(separator: ", ")
    }
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let pragma = Self("Pragma")!
}
