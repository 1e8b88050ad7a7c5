internal import Foundation
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
  /// The form, secrets masked.
  public var form: [Parameter]
  public var status: Int
  public var duration: Duration
  /// The codes of the errors that were answered, in their order.
  public var errorCodes: [String]
  /// The reference by which the API names this failure.
  public var reference: String?
  /// The fault that met the call.
  public var faultID: String?
  /// A command line that makes the same call, once the masked values are filled in.
  public var curl: String

  /// A call as it was noted elsewhere.
  public init(
    method: String,
    target: String,
    form: [Parameter],
    status: Int,
    duration: Duration,
    errorCodes: [String],
    reference: String?,
    faultID: String?,
    curl: String
  ) {
    self.method = method
    self.target = target
    self.form = form
    self.status = status
    self.duration = duration
    self.errorCodes = errorCodes
    self.reference = reference
    self.faultID = faultID
    self.curl = curl
  }

  init(_ call: SeenCall) {
    let request = call.request
    method = request.method.rawValue
    target = Secrets.maskedTarget(of: request)
    form = Secrets.maskedForm(of: request)
    status = call.status
    duration = call.duration
    faultID = call.faultID
    let answer = call.refusal.flatMap { JSON(decoding: $0) }
    errorCodes =
      answer?["errors"]?.array?.compactMap { $0["code"]?.string }
      ?? (answer?["error"]?.string).map { [$0] } ?? []
    reference = answer?["clerk_trace_id"]?.string ?? answer?["trace_id"]?.string
    curl = Self.curl(request, target: target, form: form, address: call.address)
  }

  private static func curl(
    _ request: Request,
    target: String,
    form: [Parameter],
    address: String
  ) -> String {
    var words = ["curl", "-i", "-X", request.method.rawValue, quoted(address + target)]
    for field in request.headerFields where !leftOut.contains(field.name.canonicalName) {
      words += ["-H", quoted("\(field.name.rawName): \(Secrets.masked(field))")]
    }
    for parameter in form {
      words += ["--data-urlencode", quoted("\(parameter.name)=\(parameter.value)")]
    }
    return words.joined(separator: " ")
  }

  /// What curl says itself.
  private static let leftOut: Set<String> = [
    "host", "content-length", "content-type", "user-agent", "accept-encoding", "connection",
  ]

  /// A word that a shell takes as it is.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: #"'\''"#))'"
  }
}

/// One call as it was made: it is masked and worded where somebody reads it, which is seldom.
struct SeenCall: Sendable {
  var request: Request
  /// The URL under which the API is reached.
  var address: String
  /// Zero where no answer arrived.
  var status: Int
  /// The body of an answer that says no.
  var refusal: [UInt8]?
  var faultID: String?
  var duration: Duration

  init(
    _ request: Request,
    _ response: Response,
    to address: String,
    faultID: String?,
    duration: Duration
  ) {
    self.request = request
    self.address = address
    status = response.deliveryFailure == nil ? response.status.code : 0
    refusal = status >= 400 ? response.body : nil
    self.faultID = faultID
    self.duration = duration
  }
}

/// What a trace does not show.
private enum Secrets {
  static func maskedForm(of request: Request) -> [TracedCall.Parameter] {
    let type = request.headerFields[.contentType] ?? ""
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded"),
      let form = try? Form(decoding: request.body)
    else { return [] }
    return form.fields.map { .init(name: $0.name, value: masked($0.name, $0.value)) }
  }

  static func maskedTarget(of request: Request) -> String {
    guard let query = request.query else { return request.target }
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      return mask(String(name)).map { "\(name)=\($0)" } ?? String(pair)
    }
    return "\(request.path)?\(pairs.joined(separator: "&"))"
  }

  static func masked(_ field: HTTPField) -> String {
    ["authorization", "cookie"].contains(field.name.canonicalName) ? "<client token>" : field.value
  }

  private static func masked(_ name: String, _ value: String) -> String {
    value.isEmpty ? value : mask(name) ?? value
  }

  /// What stands for the value of a parameter; nil for one that is no secret.
  private static func mask(_ name: String) -> String? {
    let name = name.lowercased()
    if name.contains("password") { return "<password>" }
    if name == "code" || name == "oob" { return "<code>" }
    return kinds.first { name.contains($0) }.map { "<\($0)>" }
  }

  private static let kinds = [
    "token", "ticket", "secret", "verifier", "signature", "nonce", "jwt", "dev_session",
  ]
}
