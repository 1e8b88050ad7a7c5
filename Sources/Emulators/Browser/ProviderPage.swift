internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// A page of an identity provider that is emulated too: what a browser meets that is sent elsewhere
/// to sign in.
///
/// It looks like neither the pages nor a real provider's, so that nobody mistakes it for one.
struct ProviderPage {
  var title: String
  /// Paragraphs and forms, escaped.
  var content: String
  /// Whether its form is sent by itself where scripts run.
  var submitsItself = false

  /// The fields of a form that nobody fills in.
  static func hiddenInputs(_ form: Form) -> String {
    form.fields.map {
      #"<input type="hidden" name="\#(HTMLText.escaped($0.name))" value="\#(HTMLText.escaped($0.value))">"#
    }.joined(separator: "\n")
  }

  /// - Parameters:
  ///   - status: Of the answer.
  ///   - fields: Header fields besides.
  /// - Returns: The page, which loads nothing.
  func response(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> Response {
    let page = """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>\(HTMLText.escaped(title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <p class="kind">Emulated identity provider</p>
      <h1>\(HTMLText.escaped(title))</h1>
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
      Self.policy + (submitsItself ? "; script-src 'sha256-\(Self.scriptDigest)'" : "")
    fields[.xContentTypeOptions] = "nosniff"
    return Response(status: status, headerFields: fields, body: Array(page.utf8))
  }

  /// Without form-action: its buttons lead back to pages of another port.
  private static let policy = """
    default-src 'none'; style-src 'sha256-\(styleDigest)'; img-src data:; base-uri 'none'; \
    frame-ancestors 'none'
    """

  private static let styleDigest = Data(sha256Of: style).base64EncodedString()

  private static let script = "document.forms[0].submit()"

  private static let scriptDigest = Data(sha256Of: script).base64EncodedString()

  private static let style = """

    :root { color-scheme: light dark; font: 100%/1.5 ui-serif, Georgia, "DejaVu Serif", serif; }
    body { margin: 0; background: Canvas; color: CanvasText; }
    main { max-width: 26rem; margin: 12vh auto 2rem; padding: 1.5rem; border: 2px dashed; }
    h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
    p { margin: 0 0 1rem; overflow-wrap: anywhere; }
    .kind { margin: 0 0 0.25rem; font-size: 0.875rem; }
    [role="alert"] { padding-inline-start: 0.75rem; border-inline-start: 4px solid; font-weight: 600; }
    label { display: block; font-weight: 600; }
    input, button { font: inherit; min-height: 2.75rem; padding: 0.375rem 0.75rem; border: 1px solid; border-radius: 0; }
    input { width: 100%; box-sizing: border-box; }
    button { margin: 0 0.5rem 0.5rem 0; }
    :focus-visible { outline: 3px solid; outline-offset: 2px; }
    @media (max-width: 30rem) { main { margin: 0 auto; border: 0; } }

    """
}
