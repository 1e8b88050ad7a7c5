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
    // Before the fault: a beginning that comes in between is noticed.
    let ticket = world.beginnings.ticket()
    let fault = world.faults.take(for: request)
    @Sendable func answer() async -> Response {
      let response = await self.response(to: request, in: world, with: fault)
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
    guard let delay = fault?.delayMilliseconds, delay > 0 else { return await answer() }
    // A slow API does not hear that its caller has gone.
    return await CancellationShield.finishing {
      let isLost = await world.beginsAnew(after: ticket, before: begin + .milliseconds(delay))
      return isLost ? Fault.Failure.reset.response : await answer()
    }
  }

  private func response(
    to request: Request,
    in world: World,
    with fault: Fault?
  ) async -> Response {
    guard var rehearsed = fault?.response(at: world.clock.now) else {
      return await api.respond(to: request)
    }
    rehearsed.headerFields[.vestibuleFault] = fault?.id
    return rehearsed
  }
}

extension World {
  /// Waits until a delayed call is to be carried out; a stop of the program ends the wait.
  ///
  /// - Returns: Whether the world has begun anew, or is gone: then the call is lost, as with an API
  ///   that is restarted.
  fileprivate func beginsAnew(
    after ticket: ArrivalSignal.Ticket,
    before deadline: ContinuousClock.Instant
  ) async -> Bool {
    do {
      return try await beginnings.isGiven(after: ticket, before: deadline)
    } catch {
      return error as? Outbox.WaitingEnd == .worldGone
    }
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Names the fault that answered in place of the API.
  static let vestibuleFault = Self("X-Vestibule-Fault")!
}
