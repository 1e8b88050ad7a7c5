internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Site

extension SignInShortcut {
  /// Goes through the sign-in page as a browser without cookies.
  static func through(_ site: Site) -> Self {
    SignInShortcut { request, identifier, password in
      var fields = request.headerFields
      fields[.cookie] = nil
      fields[.accept] = "application/json"
      fields[.contentType] = nil
      let opening = Request(method: .get, target: "/sign-in", headerFields: fields)
      let page = await PageRequest.tracing(opening) { await site.respond(to: opening) }
      guard let token = Twin(page)?.forms?.first?.token else {
        return .refused(Twin(page)?.problem ?? "the sign-in page could not be opened.")
      }
      let cookies = page.headerFields[values: .setCookie]
      fields[.cookie] = cookies.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
      fields[.contentType] = "application/x-www-form-urlencoded"
      var form: FormData = ["form_token": token, "identifier": identifier]
      if let password { form.append("password", password) }
      let sent = Request(
        method: .post,
        target: "/sign-in",
        headerFields: fields,
        body: form.encoded
      )
      let answer = await PageRequest.tracing(sent) { await site.respond(to: sent) }
      guard answer.status == .seeOther, let location = answer.headerFields[.location] else {
        return .refused(Twin(answer)?.problem ?? "the sign-in page refused it.")
      }
      // One line for each cookie: of two for the same one, a browser may apply either last.
      let lines = (cookies + answer.headerFields[values: .setCookie]).map { line in
        (String(line.prefix { $0 != "=" }), line)
      }
      return .goesOn(
        location: location,
        cookies: site.endOfVisit(of: request).merging(lines) { $1 }.map(\.value).sorted()
      )
    }
  }

  /// The part of a page's JSON twin that is read.
  private struct Twin: Decodable {
    struct Form: Decodable {
      var token: String
      var fields: [Field]?
    }
    struct Field: Decodable { var errors: [Problem]? }
    struct Problem: Decodable { var message: String }

    var forms: [Form]?
    var errors: [Problem]?

    init?(_ response: Response) {
      // If it is not a twin, the caller has words of its own.
      guard let twin = JSONBody.decode(Self.self, from: response.body) else { return nil }
      self = twin
    }

    /// The first error on the page.
    var problem: String? {
      let atFields = (forms ?? []).flatMap { $0.fields ?? [] }.flatMap { $0.errors ?? [] }
      return ((errors ?? []) + atFields).first.map {
        $0.message.hasSuffix(".") ? $0.message : "\($0.message)."
      }
    }
  }
}
