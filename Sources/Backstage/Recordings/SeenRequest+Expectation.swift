internal import AuthFlow
internal import Emulators
internal import Pages

extension SeenRequest {
  /// The request without what a browser's earlier visit brought to the page: a replaying browser
  /// has none.
  var ofNewBrowser: SeenRequest {
    var request = self
    request.step.notices = []
    request.step.errors.removeAll { $0 == OwnCode.attemptEnded.rawValue }
    for form in forms.indices {
      for (index, field) in forms[form].fields.enumerated()
      where field.isVisible && field.kind != .checkbox {
        request.forms[form].fields[index].value = nil
      }
    }
    return request
  }

  /// Whether the input was accepted: a redirect to a page that ends the attempt does not count.
  var leadsOn: Bool {
    step.page == nil && ![Address.locked.path, Address.blocked.path].contains(location)
  }

  /// Whether it leads to another page than that one.
  func leadsAway(from address: Address) -> Bool {
    step.page == nil && location != nil && !leads(to: address)
  }

  /// Whether it leads to that page.
  func leads(to address: Address) -> Bool {
    step.page == nil && location.map { $0.prefix { $0 != "?" } == address.path } ?? false
  }

  /// Whether a browser without a visit would not be shown that page.
  var needsVisit: Bool { step.page.map { !Self.firstPages.contains($0) } ?? false }

  private static let firstPages: Set = [
    "sign-in", "sign-up", "forgot-password", "sign-out", "error",
  ]

  /// The request target.
  var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The request target with the names of its parameters only: the values may be addresses and
  /// tickets.
  var targetInWords: String {
    let names = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
      .map { Substring($0.prefix { $0 != UInt8(ascii: "=") }) }
    return names.isEmpty ? path : "\(path)?\(names.joined(separator: "&"))"
  }

  /// A story's expectation of the page that is shown.
  var expectation: JSON {
    let general = JSON(texts: step.errors)
    var errors = general
    if !step.fieldErrors.isEmpty {
      var members = step.fieldErrors.sorted { $0.key < $1.key }
        .map { JSON.Member($0.key, JSON(texts: $0.value)) }
      if !step.errors.isEmpty { members.append(.init("general", general)) }
      errors = .object(members)
    }
    return [
      "page": .string(step.page ?? ""), "step": .optional(step.step),
      "status": .integer(Int64(step.status)), "errors": errors,
      "notices": JSON(texts: step.notices),
      "forms": .object(
        forms.filter { !$0.endsSessions }.map { form in
          JSON.Member(form.name, JSON(texts: form.fields.filter(\.isVisible).map(\.field.name)))
        }
      ),
    ]
  }
}

extension JSON {
  fileprivate init(texts: [String]) { self = .array(texts.map(JSON.string)) }
}
