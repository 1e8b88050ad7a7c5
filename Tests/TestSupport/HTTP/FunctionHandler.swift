package import HTTPExchange

/// Answers what a function says.
package struct FunctionHandler: HTTPHandler {
  private let answer: @Sendable (Request) async -> Response

  package init(_ answer: @escaping @Sendable (Request) async -> Response) { self.answer = answer }

  package func respond(to request: Request) async -> Response { await answer(request) }
}
