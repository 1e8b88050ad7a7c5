internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Metrics

/// Counts the calls of an auth API by operation and outcome, and measures how long they took.
final class CallMeter: Sendable {
  /// The outcome of a call.
  enum Outcome: String, CaseIterable, BitwiseCopyable, Sendable {
    case success = "2xx"
    case redirection = "3xx"
    case clientError = "4xx"
    /// The API's own rate limit, whatever the body says: mistyping does not cause it.
    case tooManyRequests = "429"
    case serverError = "5xx"
    /// An answer whose body does not begin as a JSON document.
    case notJSON = "not_json"
    case offline
    case unreachable
    /// A connection was made, but its certificate or TLS failed.
    case tls
    case connectionLost = "connection_lost"
    case timedOut = "timeout"
    case malformedAnswer = "malformed"
    /// Too many calls were in flight; this one was not made.
    case busy

    static let count = allCases.count
  }

  /// `METHOD /path` for each operation; the last one stands for all others.
  private let names: [String]
  private let paths: PathTable
  /// For each path the operation of each method.
  private let operations: [[Int]]
  private let calls: Counters
  private let durations: Histograms
  private let inFlight = Counters(1)

  /// - Parameter names: The operations as method and path; a segment in braces matches any.
  init(_ names: [String]) {
    self.names = names + ["other"]
    var methodsOfPaths: [(path: String, operations: [Int])] = []
    for (index, name) in names.enumerated() {
      let words = name.split(separator: " ", maxSplits: 1).map(String.init)
      let method = CountedMethod(rawValue: words[0]) ?? .other
      let path = words.last ?? ""
      let known = methodsOfPaths.firstIndex { $0.path == path }
      if known == nil {
        methodsOfPaths.append(
          (path, Array(repeating: names.count, count: CountedMethod.count))
        )
      }
      methodsOfPaths[known ?? methodsOfPaths.count - 1].operations[method.caseNumber] = index
    }
    paths = PathTable(methodsOfPaths.map(\.path))
    operations = methodsOfPaths.map(\.operations)
    calls = Counters(self.names.count * Outcome.count)
    durations = Histograms(seriesCount: self.names.count)
  }

  func begin() { inFlight.add(1, at: 0) }

  /// Counts a call that has ended.
  func end(_ request: Request, _ outcome: Outcome, after duration: Duration) {
    inFlight.add(-1, at: 0)
    let operation =
      paths.index(of: request.target)
      .map { operations[$0][CountedMethod(request.method).caseNumber] } ?? names.count - 1
    calls.add(at: operation * Outcome.count + outcome.caseNumber)
    durations.note(duration, of: operation)
  }

  // MARK: Reading

  var inFlightCount: Int { inFlight[0] }

  func writeCalls(to text: inout ExpositionText, as name: String) {
    for (operation, operationName) in names.enumerated() {
      for outcome in Outcome.allCases {
        let count = calls[operation * Outcome.count + outcome.caseNumber]
        guard count > 0 else { continue }
        text.add(name, [("operation", operationName), ("outcome", outcome.rawValue)], count)
      }
    }
  }

  func writeDurations(to text: inout ExpositionText, as name: String) {
    for (operation, operationName) in names.enumerated() {
      let reading = durations.reading(of: operation)
      guard reading.count > 0 else { continue }
      text.add(name, [("operation", operationName)], reading)
    }
  }
}

extension CallMeter.Outcome {
  fileprivate init(_ response: Response) {
    switch response.status.kind {
    case .successful, .informational:
      self = response.status.code == 204 || response.beginsAsJSON ? .success : .notJSON
    case .redirection: self = .redirection
    case .clientError where response.status.code == 429: self = .tooManyRequests
    case .clientError: self = response.beginsAsJSON ? .clientError : .notJSON
    case .serverError, .invalid: self = .serverError
    }
  }

  fileprivate init(_ error: TransportError) {
    self =
      switch error {
      case .offline: .offline
      case .refused: .unreachable
      case .tlsFailed: .tls
      case .connectionLost: .connectionLost
      case .timedOut: .timedOut
      case .malformedAnswer: .malformedAnswer
      case .busy: .busy
      }
  }
}

extension Response {
  /// Whether the body begins as an object or an array, perhaps after blanks (RFC 8259, section 2).
  fileprivate var beginsAsJSON: Bool {
    let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// Counts and times the calls of an auth API.
struct MeasuredTransport: HTTPTransport {
  let transport: any HTTPTransport
  let meter: CallMeter

  func send(_ request: Request) async throws(TransportError) -> Response {
    let start = ContinuousClock.now
    meter.begin()
    do throws(TransportError) {
      let response = try await transport.send(request)
      meter.end(request, CallMeter.Outcome(response), after: .now - start)
      return response
    } catch {
      meter.end(request, CallMeter.Outcome(error), after: .now - start)
      throw error
    }
  }
}
