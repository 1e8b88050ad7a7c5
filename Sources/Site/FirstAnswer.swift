internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// An answer that is shared by all unknown visitors who send the same request head.
///
/// What is a visitor's own (visit, form tokens, time) is made for each of them.
final class FirstAnswer: Sendable {
  let page: SharedPage
  let status: HTTPResponse.Status
  /// One of them is the visit's cookie, without a value yet.
  let headerFields: HTTPFields
  /// The index of that cookie.
  let cookieIndex: Int
  /// Not the world itself, which may be dropped and is large.
  let worldName: WorldName
  /// The edition of the world when the page was made.
  let edition: WorldEdition
  /// The report about it, without a visit yet.
  let report: PageReport

  init(
    page: SharedPage,
    status: HTTPResponse.Status,
    headerFields: HTTPFields,
    cookieIndex: Int,
    worldName: WorldName,
    edition: WorldEdition,
    report: PageReport
  ) {
    self.page = page
    self.status = status
    self.headerFields = headerFields
    self.cookieIndex = cookieIndex
    self.worldName = worldName
    self.edition = edition
    self.report = report
  }
}

extension Responder {
  /// The part of an answer that it shares with every later one to the same head.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - context: The context of the request.
  ///   - edition: The edition of the world, the same before and after the answer.
  /// - Returns: Nil where the answer is for this visitor only.
  func firstAnswer(
    _ answer: Answer,
    _ context: RequestContext,
    at edition: WorldEdition
  ) -> FirstAnswer? {
    guard case .page(let page, let status) = answer,
      visits.cookies(droppingThoseIn: context.request).isEmpty,
      let world = WorldName(context.visit.world)
    else { return nil }
    let isJSON = context.prefersJSON
    guard let shared = renderer.shared(page, in: frame(context), asJSON: isJSON) else { return nil }
    let response = Response(
      status: HTTPResponse.Status(code: status),
      headerFields: pageFields(asJSON: isJSON, [.setCookie: ""])
    )
    guard let cookieIndex = response.headerFields.firstIndex(where: { $0.name == .setCookie })
    else { return nil }
    var report = context.report(of: answer, response)
    report.visit = []
    return FirstAnswer(
      page: shared,
      status: response.status,
      headerFields: response.headerFields,
      cookieIndex: cookieIndex,
      worldName: world,
      edition: edition,
      report: report
    )
  }

  /// The response to the next request with the same head.
  ///
  /// - Parameters:
  ///   - first: The shared answer, from the same edition of its world.
  ///   - world: The world as it is now.
  ///   - request: The request.
  ///   - reference: The reference of the request in the log.
  /// - Returns: The page, with a visit of its own.
  func response(
    _ first: FirstAnswer,
    in world: KnownWorld,
    to request: Request,
    reference: @autoclosure () -> String
  ) -> Response {
    let now = world.clock.now
    let visit = FreshVisit(
      idBytes: environment.random(Visit.idLength),
      world: first.worldName.text,
      machineNow: environment.machineNow(),
      worldNow: now
    )
    guard let cookie = visits.cookie(beginning: visit) else {
      return unkeepable(request, nil, reference())
    }
    var fields = first.headerFields
    fields[first.cookieIndex] = HTTPField(name: .setCookie, value: cookie.headerValue)
    let body = first.page.bytes(now: now) { [tokens, environment] action in
      tokens.token(for: action, ofVisit: visit.id, nonce: environment.random(9))
    }
    let response = Response(status: first.status, headerFields: fields, body: body)
    if let watch = world.watch {
      var report = first.report
      report.visit = [visit.id]
      report.byteCount = response.body.count
      watch(report)
    }
    return response
  }
}
