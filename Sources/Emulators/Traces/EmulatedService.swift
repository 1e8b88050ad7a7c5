public import HTTPExchange
internal import HTTPTypes

/// An emulated API as its callers see it: rehearsed faults are applied here, and every call is
/// recorded in the traces of its world.
public struct EmulatedService: HTTPHandler {
  private let api: any HTTPHandler
  private let worlds: Worlds
  private let address: String

  /// - Parameters:
  ///   - api: Answers unless a fault does.
  ///   - worlds: Where the faults and the traces are.
  ///   - address: The URL of the API, for the `curl` commands of traces.
  public init(_ api: any HTTPHandler, worlds: Worlds, address: String) {
    self.api = api
    self.worlds = worlds
    self.address = address
  }

  public func respond(to request: Request) async -> Response {
    let request = request.inWorldOfItsAddress(among: worlds)
    guard let name = request.namedWorld, let world = try? await worlds.world(name) else {
      // The API says what is wrong with the name, or with the world.
      return await api.respond(to: request)
    }
    let date = world.clock.now
    let begin = ContinuousClock.now
    let fault = world.faults.take(for: request)
    if let fault, fault.delayMilliseconds > 0 {
      // Cut short if the caller has gone away.
      try? await Task.sleep(for: .milliseconds(fault.delayMilliseconds))
    }
    var response: Response
    if let rehearsed = fault?.response(at: world.clock.now) {
      response = rehearsed
      response.headerFields[.vestibuleFault] = fault?.id
    } else {
      response = await api.respond(to: request)
    }
    let call = SeenCall(
      request,
      response,
      to: address,
      at: date,
      fault: fault,
      duration: ContinuousClock.now - begin
    )
    world.traces.add(call, by: PageRequest.current)
    return response
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Names the fault that answered in place of the API.
  static let vestibuleFault = Self("X-Vestibule-Fault")!
}
