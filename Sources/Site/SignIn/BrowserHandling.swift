internal import AuthFlow
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// Going on at an identity provider's page in the browser, and coming back from there.
extension Site {
  func browserPage(_ turn: inout Turn) async -> Answer {
    if turn.request.method != .post, let browserReturn = turn.browserReturn {
      return await take(browserReturn, &turn)
    }
    guard case .browserRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    return .page(BrowserPage(prompt: prompt))
  }

  /// Keeps what the browser brought back in the visit, and leaves the address that told it.
  private func take(_ browserReturn: BrowserReturn, _ turn: inout Turn) async -> Answer {
    if isDue(&turn) { return await advance(with: .returned(browserReturn), &turn) }
    // Nobody waits for it here any more.
    if turn.visit.session == nil { turn.tell([], error: .ended, on: .signIn) }
    return turn.visit.session == nil ? .seeOther(.signIn) : turn.movedOn()
  }

  /// The person says that they are back from the provider's page.
  func finishInBrowser(_ turn: inout Turn) async -> Answer {
    guard isDue(&turn) else { return turn.movedOn() }
    return await advance(with: .check, &turn)
  }
}

extension Turn {
  /// Bytes; an authorization code is long.
  private static let valueLimit = 4_096

  fileprivate var browserReturn: BrowserReturn? {
    var parameters: [String: String] = [:]
    for field in request.queryParameters.fields.prefix(16)
    where field.value.utf8.count <= Self.valueLimit {
      parameters[field.name] = field.value
    }
    return parameters.isEmpty ? nil : provider.readReturn(parameters)
  }
}
