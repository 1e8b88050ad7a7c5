internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// A page of an identity provider that is emulated too: what a browser meets that is sent elsewhere
/// to sign in.
///
/// It says what it is, so that nobody mistakes it for a real provider's.
struct ProviderPage {
  /// To which the provider signs people in.
  var application: EmulatedApplication
  var words: ProviderWords
  var title: MessagePhrase
  /// Paragraphs and forms, escaped.
  var content: String
  /// Whether it is shown again because of what was sent: its title begins with that.
  var isRefused = false
  /// Whether its form is sent by itself where scripts run.
  var submitsItself = false

  /// The fields of a form that nobody fills in.
  static func hiddenInputs(_ form: FormData) -> String {
    form.fields.map {
      #"<input type="hidden" name="\#(HTMLText.escaped($0.name))" value="\#(HTMLText.escaped($0.value))">"#
    }.joined(separator: "\n")
  }

  /// - Parameters:
  ///   - status: Of the answer.
  ///   - fields: Header fields besides.
  /// - Returns: The page, which loads nothing.
  func response(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> Response {
    let title = words[title]
    let name = HTMLText.escaped(application.name)
    let page = """
      <!DOCTYPE html>
      <html lang="\(words.language.text)" dir="\(words.language.direction.rawValue)">
      <head>
      <meta charset="utf-8">
      <title>\(isRefused ? titleInError : "\(title) – \(name)")</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <style>\(application.providerStyle.text)</style>
      </head>
      <body>
      <header>
      <p class="kind">\(words[.providerKind])</p>
      </header>
      <main>
      <p class="application">\(application.logo?.markup(called: name) ?? name)</p>
      <h1>\(title)</h1>
      \(content)
      </main>
      \(submitsItself ? "<script>\(Self.script)</script>" : "")
      </body>
      </html>

      """
    var fields = fields
    fields[.contentType] = "text/html; charset=utf-8"
    fields[.cacheControl] = "no-store"
    fields[.contentSecurityPolicy] =
      policy + (submitsItself ? "; script-src 'sha256-\(Self.scriptDigest)'" : "")
    fields[.xContentTypeOptions] = "nosniff"
    return Response(status: status, headerFields: fields, body: Array(page.utf8))
  }

  private var titleInError: String {
    let values = ["heading": words.plain(title), "application": application.name]
    return words[.providerTitleInError, values]
  }

  /// Without form-action: its buttons lead back to pages of another port.
  private var policy: String {
    """
    default-src 'none'; style-src 'sha256-\(application.providerStyle.digest)'; img-src data:; \
    base-uri 'none'; frame-ancestors 'none'
    """
  }

  private static let script = "document.forms[0].submit()"

  private static let scriptDigest = Data(sha256Of: script).base64EncodedString()
}
