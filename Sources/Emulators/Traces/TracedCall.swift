public import Foundation
internal import HTTPTypes
internal import HTTPExchange

/// One call to the API, masked: what is shown of it can be passed on.
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
  /// The body where it is JSON.
  public var content: JSON?
  /// Zero where no answer arrived.
  public var status: Int
  public var duration: Duration
  /// The codes of the errors that were answered, in their order.
  public var errorCodes: [String]
  /// The reference by which the API names this failure.
  public var reference: String?
  /// The fault that met the call.
  public var faultID: String?
  /// What that fault did.
  public var faultEffect: String?
  public var answerFields: [Parameter]
  /// The answer where it is JSON; nil for any other, and where there was no room for it.
  public var answer: JSON?
  /// How long the answer is, in bytes.
  public var answerByteCount: Int
  /// A call as it was noted elsewhere.
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
  /// Made of what is read here, never taken over from a file: whoever pastes it runs it.
  public var curl: String {
    // Without -g a brace or a bracket in the address would make several calls of it.
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

  /// What curl says itself, and what would bring the old answer to whoever makes the call once more.
  private static let leftOut: Set<String> = [
    "host", "content-length", "content-type", "user-agent", "accept-encoding", "connection",
    "idempotency-key",
  ]
}
