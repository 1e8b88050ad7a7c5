public import Foundation
internal import HTTPTypes
internal import HTTPExchange

/// One call to the API with secrets masked, so that it can be passed on.
public struct TracedCall: Sendable, Hashable {
  public struct Parameter: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public var method: String
  /// The target with its query, secrets masked.
  public var target: String
  /// The URL under which the API is reached.
  public var address: String
  /// By the world's clock.
  public var startedAt: Date
  public var headerFields: [Parameter]
  /// The form, secrets masked.
  public var form: [Parameter]
  /// The body if it is JSON.
  public var content: JSON?
  /// Zero if no answer arrived.
  public var status: Int
  public var duration: Duration
  /// The codes of the errors that were answered, in their order.
  public var errorCodes: [String]
  /// The API's reference for this failure.
  public var reference: String?
  /// The fault that affected the call.
  public var faultID: String?
  /// What that fault did.
  public var faultEffect: String?
  public var answerFields: [Parameter]
  /// The answer if it is JSON; nil for any other, and if there was no room for it.
  public var answer: JSON?
  /// How long the answer is, in bytes.
  public var answerByteCount: Int
  /// A call that was recorded elsewhere.
  public init(
    method: String,
    target: String,
    address: String = "",
    startedAt: Date,
    headerFields: [Parameter] = [],
    form: [Parameter],
    content: JSON? = nil,
    status: Int,
    duration: Duration,
    errorCodes: [String],
    reference: String?,
    faultID: String?,
    faultEffect: String? = nil,
    answerFields: [Parameter] = [],
    answer: JSON? = nil,
    answerByteCount: Int = 0
  ) {
    self.method = method
    self.target = target
    self.address = address
    self.startedAt = startedAt
    self.headerFields = headerFields
    self.form = form
    self.content = content
    self.status = status
    self.duration = duration
    self.errorCodes = errorCodes
    self.reference = reference
    self.faultID = faultID
    self.faultEffect = faultEffect
    self.answerFields = answerFields
    self.answer = answer
    self.answerByteCount = answerByteCount
  }

  init(_ call: SeenCall) {
    method = call.method
    target = call.target
    address = call.address
    startedAt = call.startedAt
    headerFields = call.headerFields.map { Parameter(name: $0.name.rawName, value: $0.value) }
    form = call.form
    content = call.content
    status = call.status
    duration = call.duration
    faultID = call.fault?.id
    faultEffect = call.fault?.effectName
    answerFields = call.answerFields.map {
      Parameter(name: $0.name.rawName, value: TraceSecrets.answered($0))
    }
    answer = call.answer.flatMap { JSON(decoding: $0)?.maskedAsAnswered() }
    answerByteCount = call.answerByteCount
    let refusal = call.status >= 400 ? answer : nil
    errorCodes =
      refusal?["errors"]?.array?.compactMap { $0["code"]?.string }
      ?? (refusal?["error"]?.string).map { [$0] } ?? []
    reference = refusal?["clerk_trace_id"]?.string ?? refusal?["trace_id"]?.string
  }

  /// A command line that makes the same call, once the masked values are filled in.
  ///
  /// It is always built here and never read from a file, since whoever pastes it runs it.
  public var curl: String {
    // Without -g, curl would make several calls of an address with braces or brackets.
    var words = ["curl", "-g", "-i", "-X", ShellText.word(method)]
    let url = address + target
    // A file may name an address that curl would take for an option.
    if url.utf8.first == UInt8(ascii: "-") { words.append("--url") }
    words.append(ShellText.quoted(url))
    for field in headerFields where !Self.leftOut.contains(field.name.lowercased()) {
      words += ["-H", ShellText.quoted("\(field.name): \(field.value)")]
    }
    for parameter in form {
      words += ["--data-urlencode", ShellText.quoted("\(parameter.name)=\(parameter.value)")]
    }
    if let content {
      words += ["--json", ShellText.quoted(String(decoding: content.encoded, as: UTF8.self))]
    }
    return words.joined(separator: " ")
  }

  /// Header fields that curl sets itself, and the one that would repeat the old answer.
  private static let leftOut: Set<String> = [
    "host", "content-length", "content-type", "user-agent", "accept-encoding", "connection",
    "idempotency-key",
  ]
}
