internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// A page of an emulated identity provider, to which a browser is sent to sign in.
///
/// It says that it is emulated, so that nobody mistakes it for a real provider's.
struct ProviderPage {
  /// The application that people sign in to.
  var application: EmulatedApplication
  var words: ProviderWords
  var title: MessagePhrase
  /// Paragraphs and forms, escaped.
  var content: String
  /// Whether the page is shown again because its form was refused; the title then begins with that.
  var isRefused = false
  /// Whether a script submits the form, in browsers that run scripts.
  var submitsItself = false

  /// Hidden inputs with the fields of a form.
  static func hiddenInputs(_ form: FormData) -> String {
    form.fields.map {
      #"<input type="hidden" name="\#(HTMLText.escaped($0.name))" value="\#(HTMLText.escaped($0.value))">"#
    }.joined(separator: "\n")
  }

  /// - Parameters:
  ///   - status: The status of the response.
  ///   - fields: Further header fields.
  /// - Returns: The page, which loads no other resource.
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

  /// Has no `form-action`, since the buttons lead back to pages on another port.
  private var policy: String {
    """
    default-src 'none'; style-src 'sha256-\(application.providerStyle.digest)'; img-src data:; \
    base-uri 'none'; frame-ancestors 'none'
    """
  }

  private static let script = "document.forms[0].submit()"

  private static let scriptDigest = Data(sha256Of: script).base64EncodedString()
}
