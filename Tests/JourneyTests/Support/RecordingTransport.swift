import HTTPExchange
import HTTPTypes
import VestibuleTesting

/// Whose answers are written down.
enum RecordedPort: String, Sendable {
  /// The pages and backstage.
  case pages
  /// An emulator's own port, of which only backstage is of interest.
  case emulator
}

/// The same transport to the pages or to backstage; answers are written down if they are to be.
func recorded(
  _ transport: any HTTPTransport,
  as port: RecordedPort = .pages
) -> any HTTPTransport {
  guard let recorder = Recorder.described else { return transport }
  return RecordingTransport(transport: transport, port: port, recorder: recorder)
}

/// Writes down what the description of the JSON twin and of backstage covers.
private struct RecordingTransport: HTTPTransport {
  let transport: any HTTPTransport
  let port: RecordedPort
  let recorder: Recorder

  func send(_ request: Request) async throws(TransportError) -> Response {
    let response = try await transport.send(request)
    if isDescribed(request, response) { recorder.record(request, response) }
    return response
  }

  private func isDescribed(_ request: Request, _ response: Response) -> Bool {
    if request.path.hasPrefix("/backstage/api/") { return true }
    guard port == .pages, !request.path.hasPrefix("/backstage") else { return false }
    let isJSON = response.headerFields[.contentType]?.hasPrefix("application/json") ?? false
    // A redirect has no twin, but the operation was carried out.
    return isJSON || response.status == .seeOther
  }
}

extension TestVestibule {
  /// A browser of its own, in that world.
  func recordedSession(world: String) -> FormSession {
    FormSession(over: recorded(transport), host: "localhost:8080", world: world)
  }

  /// Backstage of that world.
  func recordedBackstage(world: String) -> TestBackstage {
    TestBackstage(over: recorded(transport), host: "localhost:8080", world: world)
  }
}
