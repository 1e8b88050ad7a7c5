internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

extension Site {
  /// Turns an answer into bytes, and keeps the visit in the browser where it has changed.
  ///
  /// - Parameters:
  ///   - answer: What was decided.
  ///   - turn: What it was decided about.
  ///   - kept: The visit that the browser keeps already; nil where it keeps none of use.
  /// - Returns: The whole response; a 502 page where the visit has grown too large to keep.
  func response(to answer: Answer, _ turn: Turn, before kept: Visit?) -> Response {
    var fields = HTTPFields()
    if turn.visit != kept {
      guard
        let cookies = visits.cookies(
          keeping: turn.visit,
          insteadOfThoseIn: turn.request,
          machineNow: surroundings.machineNow(),
          worldNow: turn.now
        )
      else {
        return errorPage(
          TurnedAway(502, .serviceAnsweredNonsense),
          for: turn.request,
          reference: turn.reference
        )
      }
      for cookie in cookies {
        fields.append(HTTPField(name: .setCookie, value: cookie.headerValue))
      }
    }
    switch answer {
    case .seeOther(let address):
      fields[.location] = address
      fields[.contentType] = "text/plain; charset=utf-8"
      return Response(
        status: .seeOther,
        headerFields: headers.added(to: fields),
        body: Array("See \(address)\n".utf8)
      )
    case .file(let name, let text):
      fields[.contentType] = "text/plain; charset=utf-8"
      fields[.contentDisposition] = "attachment; filename=\"\(name)\""
      return Response(
        status: .ok,
        headerFields: headers.added(to: fields),
        body: Array(text.utf8)
      )
    case .page(let page, let status):
      return show(page, turn, error: turn.news, status: status, fields: fields)
    case .refused(let page, let error):
      events.refused(error, turn)
      return show(
        page,
        turn,
        error: error,
        status: error.status(on: page.fields),
        fields: fields
      )
    case .turnedAway(let page, let refusal, let status):
      return show(page, turn, refusal: refusal, status: status, fields: fields)
    }
  }

  private func show(
    _ page: any Page,
    _ turn: Turn,
    error: AuthError? = nil,
    refusal: Refusal? = nil,
    status: Int,
    fields: HTTPFields
  ) -> Response {
    var fields = fields
    if let until = error?.waitingUntil ?? (page is LockedPage ? turn.visit.lock?.until : nil) {
      // By the clock now: the wait was counted from the auth API's answer, not from the request.
      let left = until.timeIntervalSince(turn.front.clock.now)
      let seconds = max(1, Int(left.rounded(.up)))
      if status == 429 || status == 403 { fields[.retryAfter] = String(seconds) }
    }
    let instance = turn.provider.lastKnownInstance ?? .unknown
    let frame = PageFrame(
      applicationName: instance.applicationName,
      emulation: turn.front.emulation,
      supportAddress: instance.supportAddress,
      error: error,
      refusal: refusal,
      notices: turn.notices,
      reference: turn.reference,
      now: turn.now,
      timeZone: timeZones.zone(toldBy: turn.request)
    ) { [tokens, surroundings, route = turn.route, visit = turn.visit] name in
      tokens.token(
        for: route.action(ofForm: name),
        of: visit,
        nonce: surroundings.random(9)
      )
    }
    return rendered(page, in: frame, status: status, as: turn.rendering, fields: fields)
  }
}

extension AuthError {
  /// Until when trying again is of no use, where that is known.
  fileprivate var waitingUntil: Date? {
    for problem in problems {
      switch problem.reason {
      case .tooManyRequests(let until?), .resendTooSoon(let until?), .locked(let until?):
        return until
      default: continue
      }
    }
    return nil
  }
}
