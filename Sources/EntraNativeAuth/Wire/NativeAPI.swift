internal import AuthAPIClient
internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// A client of the native authentication API: a form goes out, JSON comes back.
///
/// Source: <doc:EntraCalls#Requests>, <doc:EntraCalls#Answers>.
struct NativeAPI: Sendable {
  var connection: APIConnection
  var tenant: NativeTenant
  /// The version of the product that calls.
  var version: String?
  let waiting: Waiting
  /// Names each call for support, on both sides.
  let newCorrelationID: @Sendable () -> String

  var clock: WallClock { connection.clock }

  /// Makes the call and reads its answer.
  ///
  /// - Throws: `Failure` if there is no answer, or not the expected one.
  func ask<Answer: Decodable & Sendable>(
    _ call: Call,
    for type: Answer.Type
  ) async throws(Failure) -> Answer {
    let correlationID = newCorrelationID()
    let request = request(for: call, correlationID: correlationID)
    let response: Response
    do {
      response = try await send(request, of: call)
    } catch {
      throw .failed(AuthError(error, traceID: correlationID))
    }
    let reading = AnswerReading(now: clock.now, traceID: correlationID, secrets: call.secrets)
    return try reading.answer(type, in: response)
  }

  /// A document that the tenant publishes.
  func document<Document: Decodable>(
    _ type: Document.Type,
    at target: String
  ) async throws(AuthError) -> Document {
    let correlationID = newCorrelationID()
    let request = connection.request(
      .get,
      target,
      headerFields: headerFields(correlationID: correlationID)
    )
    let response: Response
    do {
      response = try await send(request, of: nil)
    } catch {
      throw AuthError(error, traceID: correlationID)
    }
    guard response.status.code < 500 else {
      throw AnswerReading(now: clock.now, traceID: correlationID).fault(of: response)
    }
    guard response.status == .ok, let document = JSONBody.decode(type, from: response.body) else {
      throw .nonsense(traceID: correlationID, "no document at a published address")
    }
    return document
  }

  /// Sends the request, and once more if that is allowed and there is time left.
  private func send(
    _ request: Request,
    of call: Call?
  ) async throws(TransportError) -> Response {
    let first = await result(of: request)
    guard let delay = RetryPolicy.delay(after: first, of: call, now: clock.now) else {
      return try first.get()
    }
    if let deadline = AnswerDeadline.current, waiting.now() + delay >= deadline {
      return try first.get()
    }
    do {
      try await waiting.pause(delay)
    } catch {
      // The caller has gone away.
      return try first.get()
    }
    return try await connection.send(request)
  }

  private func result(of request: Request) async -> Result<Response, TransportError> {
    do {
      return .success(try await connection.send(request))
    } catch {
      return .failure(error)
    }
  }

  private func request(for call: Call, correlationID: String) -> Request {
    var form = FormData([.init(name: "client_id", value: tenant.clientID)])
    form.fields += call.form.fields
    return connection.request(
      .post,
      tenant.path + call.endpoint.rawValue,
      form: form,
      headerFields: headerFields(correlationID: correlationID)
    )
  }

  private func headerFields(correlationID: String) -> HTTPFields {
    var fields: HTTPFields = [
      .clientRequestID: correlationID,
      .returnClientRequestID: "true",
      .clientSKU: "Vestibule",
    ]
    fields[.clientVersion] = version
    return fields
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let clientRequestID = Self("client-request-id")!
  static let returnClientRequestID = Self("return-client-request-id")!
  static let clientSKU = Self("x-client-SKU")!
  static let clientVersion = Self("x-client-Ver")!
}

extension String {
  /// The text if it can be the id of a call, and cannot break a line or a page; otherwise nil.
  var plainID: String? {
    let isPlain = utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
    return isPlain && (1...64).contains(utf8.count) ? self : nil
  }
}
