import Glibc
import HTTPExchange
import HTTPTypes
import Locking
@testable import MicroHTTPServer

/// Says and remembers what it was asked; the path decides what else it does.
final class TestHandler: HTTPHandler {
  private let seen = Locked<[String]>([])
  private let cancelledBehind = Locked(0)
  let gate = Gate()
  private let finished = Locked(0)

  /// How many have done what must be finished.
  var finishedCount: Int { finished.withLock { $0 } }

  /// How many were cancelled once they had finished what they must.
  var cancelledBehindCount: Int { cancelledBehind.withLock { $0 } }

  var targets: [String] { seen.withLock { $0 } }

  /// Requests below `/ready` are answered at once, and not remembered.
  func readyAnswer(to request: Request) -> ReadyAnswer? {
    request.path.hasPrefix("/ready") ? { Self.echo(of: request) } : nil
  }

  func respond(to request: Request) async -> Response {
    seen.withLock { $0.append(request.target) }
    switch request.path {
    case "/big":
      return Response(status: .ok, body: Array(repeating: UInt8(ascii: "x"), count: 3_000_000))
    case "/wait":
      await gate.wait()
    case "/finish":
      await CancellationShield.finishing { await self.gate.wait() }
      if Task.isCancelled { cancelledBehind.withLock { $0 += 1 } }
    case "/finish-turns":
      await CancellationShield.finishing { while !self.gate.isOpen { await Task.yield() } }
      finished.withLock { $0 += 1 }
    case "/yield":
      await Task.yield()
    case "/thread":
      let thread = Self.thread
      await gate.wait()
      let which = thread == Self.thread ? "the same" : "another"
      return Response(status: .ok, body: Array(which.utf8))
    case "/turns":
      while !gate.isOpen, !Task.isCancelled { await Task.yield() }
    case "/open":
      gate.open()
    case "/field":
      let value = request.body
      let name = HTTPField.Name("X-Echo")
      let fields = name.map { [HTTPField(name: $0, lenientValue: value)] } ?? []
      return Response(status: .ok, headerFields: HTTPFields(fields))
    case "/fields":
      let lines = request.headerFields.map { "\($0.name.rawName)=\($0.value)\n" }
      return Response(status: .ok, body: Array(lines.joined().utf8) + request.body)
    case "/cookies":
      let cookie = String(repeating: "s", count: 3_700)
      let fields = (1...4).map { HTTPField(name: .setCookie, value: "c\($0)=\(cookie); Path=/") }
      return Response(status: .ok, headerFields: HTTPFields(fields))
    case "/unmodified":
      return Response(status: .notModified, headerFields: [.contentLength: "25259"])
    case "/status":
      let code = Int(request.query ?? "") ?? 0
      return Response(status: .init(code: code), body: Array("status".utf8))
    default:
      break
    }
    return Self.echo(of: request)
  }

  private static var thread: pthread_t { pthread_self() }

  private static func echo(of request: Request) -> Response {
    let text = "\(request.method) \(request.target) "
    return Response(
      status: .ok,
      headerFields: [.contentType: "text/plain"],
      body: Array(text.utf8) + request.body
    )
  }
}

/// Holds handlers until it is opened, or until they are cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextID = 0
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }
  var waitingCount: Int { state.withLock { $0.waiting.count } }
  var cancelledCount: Int { state.withLock { $0.cancelled.count } }

  func wait() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = state.withLock { state in
          guard !state.isOpen, !state.cancelled.contains(id) else { return true }
          state.waiting[id] = continuation
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume()
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Starts a server on a free port, and stops it after the test.
func serving<Result>(
  _ handler: any HTTPHandler,
  options: MicroHTTPServer.Options = .init(),
  _ body: (MicroHTTPServer) async throws -> Result
) async throws -> Result {
  let server = try MicroHTTPServer(
    listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
    options: options,
    handler: handler,
    refusing: { refusal, _ in
      Response(status: refusal.status, body: Array("refused: \(refusal)".utf8))
    },
    log: { _ in }
  )
  do {
    let result = try await body(server)
    await server.stop(grace: .zero)
    return result
  } catch {
    await server.stop(grace: .zero)
    throw error
  }
}

/// What `TestHandler` does with one request on a connection of its own, as raw text.
func exchange(_ text: String, port: Int) async throws -> String {
  try await onThread {
    let client = try RawClient(port: port)
    try client.send(text)
    client.endSending()
    return try client.receiveAll()
  }
}
