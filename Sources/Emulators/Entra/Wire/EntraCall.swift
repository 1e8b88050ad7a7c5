internal import HTTPExchange
internal import HTTPTypes

/// A native authentication call, read and checked as far as possible without an account.
///
/// Source: Microsoft, native authentication API reference.
struct EntraCall: Sendable {
  static let bodyLimitBytes = 64 * 1024

  var route: EntraRoute
  var tenant: EntraTenant
  /// The issuer that tokens name.
  var issuer: String
  var form: EntraForm
  /// The app that calls.
  var clientID: String
  var acceptLanguage: String?
  var trace: EntraTrace

  /// - Throws: `EntraRefusal` with the first fault.
  init(
    _ request: Request,
    route: EntraRoute,
    _ tenant: EntraTenant,
    issuer: String,
    trace: EntraTrace
  ) throws(EntraRefusal) {
    self.route = route
    self.tenant = tenant
    self.issuer = issuer
    self.trace = trace
    acceptLanguage = request.headerFields.value(of: .acceptLanguage)
    form = try Self.form(of: request)
    clientID = try Self.clientID(in: form)
  }

  private static func form(of request: Request) throws(EntraRefusal) -> EntraForm {
    guard request.body.count <= bodyLimitBytes else {
      throw EntraRefusal("invalid_request", nil, 9_002_313, "The body is too large.", status: 413)
    }
    guard request.isForm else {
      throw .malformed("The body must be application/x-www-form-urlencoded.")
    }
    do {
      return try EntraForm(FormData(decoding: request.body))
    } catch let refusal as EntraRefusal {
      throw refusal
    } catch {
      throw .malformed("The form is malformed.")
    }
  }

  private static func clientID(in form: EntraForm) throws(EntraRefusal) -> String {
    guard let text = form.text("client_id") else { throw .invalidParameter("client_id") }
    guard let id = GUID.parsed(text), id != EntraApp.unknownID else { throw .unknownApp }
    guard id != EntraApp.disabledID, form.text("client_secret") == nil else {
      throw .nativeAuthenticationDisabled
    }
    return id
  }
}
