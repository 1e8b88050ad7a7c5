internal import Foundation
internal import HTTPTypes

// What the pages of a world call and send while a test does something.

extension TestBackstage {
  /// A call to the emulated auth API, as traces show it.
  public struct Call: Sendable, Hashable {
    public var method: String
    /// Without its query.
    public var path: String
    /// The form by parameter, the first value of each; secrets are masked, such as `<password>`.
    public var form: [String: String]
    /// Nil if no answer arrived.
    public var status: Int?
  }

  /// The calls to the auth API that the world's pages make meanwhile, in order.
  ///
  /// - Parameter steps: What a test does in the world.
  /// - Returns: The calls; not those that other programs make.
  /// - Throws: What the steps throw, `Failure`, what the transport throws, or a `DecodingError`.
  public func calls(during steps: () async throws -> Void) async throws -> [Call] {
    let newest = try await newestTrace()
    try await steps()
    return try await calls(after: newest)
  }

  /// The messages that arrive meanwhile, in order.
  ///
  /// - Parameter steps: What a test does in the world.
  /// - Returns: The messages that are in the inbox afterwards and were not before.
  /// - Throws: What the steps throw, `Failure`, what the transport throws, or a `DecodingError`.
  public func messages(during steps: () async throws -> Void) async throws -> [Message] {
    let known = Set(try await messages().map(\.id))
    try await steps()
    return try await messages(besides: known)
  }

  /// The messages with other IDs, in order.
  func messages(besides known: Set<String>) async throws -> [Message] {
    try await messages().reversed().filter { !known.contains($0.id) }
  }

  /// The number of the newest trace; 0 if there is none.
  func newestTrace() async throws -> Int { try await traces().map(\.number).max() ?? 0 }

  /// The calls that pages have made since that trace, in order.
  func calls(after number: Int) async throws -> [Call] {
    try await traces().filter { $0.page != nil && $0.number > number }
      .sorted { $0.number < $1.number }
      .flatMap { $0.calls.map(Call.init) }
  }

  private func traces() async throws -> [Trace] {
    try JSONDecoder().decode([Trace].self, from: try await call(.get, "traces"))
  }
}

/// A trace, as far as it tells which calls a page made.
private struct Trace: Decodable {
  struct Page: Decodable { var path: String }

  struct Pair: Decodable {
    var name: String
    var value: String
  }

  struct Call: Decodable {
    var method: String
    var path: String
    var form: [Pair]
    var status: Int?
  }

  var id: String
  /// Nil for a call from another process.
  var page: Page?
  var calls: [Call]

  /// Later ones have greater numbers.
  var number: Int { Int(id.drop { !$0.isNumber }) ?? 0 }
}

extension TestBackstage.Call {
  fileprivate init(_ call: Trace.Call) {
    self.init(
      method: call.method,
      path: String(call.path.prefix { $0 != "?" }),
      form: Dictionary(call.form.map { ($0.name, $0.value) }) { first, _ in first },
      status: call.status
    )
  }
}
