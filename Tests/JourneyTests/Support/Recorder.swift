import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Locking
import MicroHTTPServer

/// Writes down requests and their answers, one JSON object a line.
///
/// The conformance suite compares the lines with descriptions. Nothing is written unless
/// `VESTIBULE_RECORD` names a folder.
final class Recorder: Sendable {
  /// What the emulated API answers, for Clerk's own description; nil if nothing is to be written.
  static let shared = inFolder("")
  /// What pages and backstage answer, for our own description.
  static let described = inFolder("/described")

  private static func inFolder(_ name: String) -> Recorder? {
    guard let folder = ProcessInfo.processInfo.environment["VESTIBULE_RECORD"] else { return nil }
    do {
      return try Recorder(folder: folder + name)
    } catch {
      preconditionFailure("VESTIBULE_RECORD: \(folder) cannot be written: \(error)")
    }
  }

  private let file: FileHandle
  private let lock = NSLock()

  private init(folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/journeys-\(ProcessInfo.processInfo.processIdentifier).jsonl"
    try Data().write(to: URL(fileURLWithPath: path))
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// A handler that answers as another does, and is recorded.
  @Sendable func around(_ handler: any HTTPHandler) -> any HTTPHandler {
    RecordingHandler(handler: handler, recorder: self)
  }

  /// Puts a recording relay in front of an address, as long as the body runs.
  ///
  /// - Parameters:
  ///   - address: Where the API is.
  ///   - body: Gets the relay's address; the API's own if nothing is to be written.
  /// - Throws: What the body throws, or why there is no relay.
  static func relaying(
    to address: String,
    _ body: (String) async throws -> Void
  ) async throws {
    guard let recorder = shared else { return try await body(address) }
    // Larger than the pages' own limit, so that an answer that is too large still reaches them.
    var limits = HTTPClientTransport.Limits()
    limits.answerLimitBytes *= 8
    let transport = try HTTPClientTransport(to: BaseURL(address), limits: limits)
    let server = try MicroHTTPServer(
      listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
      handler: recorder.around(Relay(transport: transport)),
      refusing: { refusal, _ in Response(status: refusal.status) },
      log: { _ in }
    )
    let result = await Result { try await body("http://127.0.0.1:\(server.port)/") }
    await server.stop(grace: .zero)
    await transport.shutdown()
    try result.get()
  }

  func record(_ request: Request, _ response: Response) {
    let line = Line(
      source: "journey",
      method: request.method.rawValue,
      target: request.target,
      requestFields: request.headerFields.map { [$0.name.canonicalName, $0.value] },
      requestBody: String(decoding: request.body, as: UTF8.self),
      status: response.deliveryFailure == nil ? response.status.code : 0,
      responseFields: response.headerFields.map { [$0.name.canonicalName, $0.value] },
      responseBody: String(decoding: response.body, as: UTF8.self)
    )
    lock.withLock {
      do {
        try file.write(contentsOf: JSONEncoder().encode(line) + Data("\n".utf8))
      } catch {
        preconditionFailure("the record cannot be written: \(error)")
      }
    }
  }

  private struct Line: Encodable {
    var source: String
    var method: String
    var target: String
    var requestFields: [[String]]
    var requestBody: String
    /// 0 if no whole answer came.
    var status: Int
    var responseFields: [[String]]
    var responseBody: String
  }
}

private struct RecordingHandler: HTTPHandler {
  let handler: any HTTPHandler
  let recorder: Recorder

  func respond(to request: Request) async -> Response {
    let response = await handler.respond(to: request)
    recorder.record(request, response)
    return response
  }
}

/// Passes requests on, and failures back.
private struct Relay: HTTPHandler {
  let transport: HTTPClientTransport

  func respond(to request: Request) async -> Response {
    do {
      return try await transport.send(request)
    } catch {
      // What fails behind the relay is the connection; an answer that is too large is passed on.
      var response = Response(status: .badGateway)
      response.deliveryFailure = .reset
      return response
    }
  }
}
