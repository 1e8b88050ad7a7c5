internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Metrics

/// The named routes of one listener: few, and none with an ID in it.
struct Routes: Sendable {
  let names: [String]
  private let table: PathTable
  private let prefixes: [String]

  /// The route of requests for anything else, or that could not be read.
  private static let other = "other"

  /// - Parameters:
  ///   - paths: Each is a route of that name; a segment in braces matches any.
  ///   - prefixes: Each ends with a slash, and stands for every other path that begins with it, and for itself
  ///     without the slash.
  init(_ paths: [String], prefixes: [String]) {
    table = PathTable(paths)
    self.prefixes = prefixes
    names = paths + prefixes.map { String($0.dropLast()) } + [Self.other]
  }

  /// The index of a request's route.
  func place(of request: Request?) -> Int {
    guard let request else { return names.count - 1 }
    if let known = table.index(of: request.target) { return known }
    let path = "\(request.path)/"
    let prefix = prefixes.firstIndex { path.hasPrefix($0) }
    return prefix.map { names.count - 1 - prefixes.count + $0 } ?? names.count - 1
  }
}

/// Counts one listener's requests, and measures how long the answers take.
final class RequestMeter: Sendable {
  /// The name of the listener.
  let listener: String
  private let routes: Routes
  private let statuses = Statuses()
  private let requests: Counters
  private let durations: Histograms

  init(_ listener: String, _ routes: Routes) {
    self.listener = listener
    self.routes = routes
    requests = Counters(routes.names.count * CountedMethod.count * Statuses.count)
    durations = Histograms(seriesCount: routes.names.count)
  }

  /// Counts a handler's answer.
  ///
  /// - Parameters:
  ///   - response: The answer; nil if it comes too late, and another one has been given and counted.
  ///   - request: The request.
  ///   - duration: How long the handler took.
  func note(_ response: Response?, to request: Request, after duration: Duration) {
    let route = routes.place(of: request)
    durations.note(duration, of: route)
    if let response { count(response, on: route, CountedMethod(request.method)) }
  }

  /// Counts an answer that the server gave in the handler's place.
  func note(_ response: Response, refusing request: Request?) {
    count(
      response,
      on: routes.place(of: request),
      request.map { CountedMethod($0.method) } ?? .other
    )
  }

  private func count(_ response: Response, on route: Int, _ method: CountedMethod) {
    let row = route * CountedMethod.count + method.caseNumber
    requests.add(at: row * Statuses.count + statuses.place(of: response.status.code))
  }

  // MARK: Reading

  func writeRequests(to text: inout ExpositionText, as name: String) {
    for (route, routeName) in routes.names.enumerated() {
      for method in CountedMethod.allCases {
        let row = route * CountedMethod.count + method.caseNumber
        for (place, status) in Statuses.names.enumerated() {
          let count = requests[row * Statuses.count + place]
          guard count > 0 else { continue }
          let labels: [ExpositionText.Label] = [
            ("listener", listener), ("route", routeName), ("method", method.rawValue),
            ("status", status),
          ]
          text.add(name, labels, count)
        }
      }
    }
  }

  func writeDurations(to text: inout ExpositionText, as name: String) {
    for (route, routeName) in routes.names.enumerated() {
      let reading = durations.reading(of: route)
      guard reading.count > 0 else { continue }
      text.add(name, [("listener", listener), ("route", routeName)], reading)
    }
  }
}

/// The statuses that are counted separately; all others are counted together.
private struct Statuses: Sendable {
  private static let codes = [
    200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408,
    409,
    410, 412, 413, 415, 422, 423, 428, 429, 431, 500, 501, 502, 503, 504, 505, 507,
  ]
  static let names = codes.map(String.init) + ["other"]
  static let count = names.count

  private let places: [UInt8]

  init() {
    var places = [UInt8](repeating: UInt8(Self.codes.count), count: 600)
    for (place, code) in Self.codes.enumerated() { places[code] = UInt8(place) }
    self.places = places
  }

  func place(of code: Int) -> Int {
    places.indices.contains(code) ? Int(places[code]) : Self.codes.count
  }
}

/// Counts and times a handler's answers.
struct MeasuredHandler: HTTPHandler {
  let handler: any HTTPHandler
  let meter: RequestMeter

  func respond(to request: Request) async -> Response {
    let start = ContinuousClock.now
    let response = await handler.respond(to: request)
    // A cancelled handler has been answered for, and that answer was counted.
    meter.note(Task.isCancelled ? nil : response, to: request, after: .now - start)
    return response
  }

  func readyAnswer(to request: Request) -> ReadyAnswer? {
    guard let answer = handler.readyAnswer(to: request) else { return nil }
    return {
      let start = ContinuousClock.now
      let response = answer()
      meter.note(response, to: request, after: .now - start)
      return response
    }
  }
}
