internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Answers a call that is repeated under its idempotency key with the first answer.
///
/// The keys are our own: neither Clerk nor Microsoft documents any. Replicas of the pages send them,
/// so that a form that reaches two replicas, or is sent again because the first one died with the
/// answer, is one call. For a caller that sends none, nothing changes.
///
/// Source: draft-ietf-httpapi-idempotency-key-header-07.
struct RepeatedCalls: Sendable {
  /// Constant, since the emulator does not follow the steps of its callers.
  private static let revision: UInt32 = 0
  /// The header fields that identify the caller or shape the answer.
  private static let shapingFields: [HTTPField.Name] = [
    .authorization, .cookie, .contentType, .host, .origin, .acceptLanguage, .clerkVersion,
  ]
  private let memory = IdempotencyCache { .now }

  /// The answer to a call; identical calls under one key are carried out once.
  ///
  /// - Parameters:
  ///   - request: The call; one without a key is always carried out.
  ///   - world: Where it is carried out; what was answered in an earlier life of it does not count.
  ///   - work: Carries it out.
  /// - Returns: The answer; a repeated one has the field `Idempotent-Replayed`.
  func answer(
    to request: Request,
    in world: World,
    by work: @escaping @Sendable () async -> Response
  ) async -> Response {
    guard let key = Self.key(of: request, in: world) else { return await work() }
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

  /// A digest of a call's key and of everything that shapes the answer; nil if it has no key.
  ///
  /// The key alone, known for instance from a log, is not enough to get somebody else's answer.
  private static func key(of request: Request, in world: World) -> IdempotencyCache.Key? {
    guard let key = request.headerFields[.idempotencyKey] else { return nil }
    let head =
      [key, String(world.life), request.method.rawValue, request.target]
      + shapingFields.map { request.headerFields[$0] ?? "" }
    var hash = SHA256()
    // No header field and no request target contains a line feed.
    hash.update(data: Data(head.joined(separator: "\n").utf8))
    hash.update(data: Data("\n".utf8))
    hash.update(data: request.body)
    return IdempotencyCache.Key(Array(hash.finalize()))
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Marks an answer as that of an earlier call under the same key.
  fileprivate static let idempotentReplayed = Self("Idempotent-Replayed")!
}
