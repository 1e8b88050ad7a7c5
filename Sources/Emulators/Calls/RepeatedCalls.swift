internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Answers a call that is sent again under its key with the answer that it had.
///
/// The keys are ours: neither Clerk nor Microsoft documents one. Replicas of the pages send them, so
/// that a form which reaches two of them, or is sent again since the first one died with the answer,
/// is one wish; a caller that sends none meets an API that knows none.
///
/// Source: draft-ietf-httpapi-idempotency-key-header-07.
struct RepeatedCalls: Sendable {
  /// Callers take no steps of which the emulator would know.
  private static let revision: UInt32 = 0
  /// Who asks, from where, for which of the answers that there are.
  private static let shapingFields: [HTTPField.Name] = [
    .authorization, .cookie, .contentType, .host, .origin, .acceptLanguage, .clerkVersion,
  ]
  private let memory = IdempotencyCache { .now }

  /// The answer, which is worked out once for all calls alike under one key.
  ///
  /// - Parameters:
  ///   - request: The call; one without a key is always worked out.
  ///   - work: Works it out.
  /// - Returns: The answer; one that was had before says so.
  func answer(
    to request: Request,
    by work: @escaping @Sendable () async -> Response
  ) async -> Response {
    guard let key = Self.key(of: request) else { return await work() }
    let found = await memory.answer(to: key, at: Self.revision) {
      let response = await work()
      let isAccepted = response.status.kind == .successful
      return IdempotencyCache.Answered(response, isAccepted: isAccepted, revision: Self.revision)
    }
    switch found {
    case .answered(let response, .work): return response
    case .answered(var response, .wait), .answered(var response, .memory):
      response.headerFields[.idempotentReplayed] = "true"
      return response
    case .overtaken: return await work()
    }
  }

  /// A digest of a call's key and of all that shapes the answer; nil where it has none.
  ///
  /// Whoever knows the key alone, as from a log, gets nobody else's answer.
  private static func key(of request: Request) -> IdempotencyCache.Key? {
    guard let key = request.headerFields[.idempotencyKey] else { return nil }
    let head =
      [key, request.namedWorld?.text ?? "", request.method.rawValue, request.target]
      + shapingFields.map { request.headerFields[$0] ?? "" }
    var hash = SHA256()
    // No field and no target holds a line feed.
    hash.update(data: Data(head.joined(separator: "\n").utf8))
    hash.update(data: Data("\n".utf8))
    hash.update(data: request.body)
    return IdempotencyCache.Key(Array(hash.finalize()))
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Says that an answer is that of an earlier call under the same key.
  fileprivate static let idempotentReplayed = Self("Idempotent-Replayed")!
}
