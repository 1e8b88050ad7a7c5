internal import AuthFlow
internal import Emulators
internal import Pages

extension SeenRequest {
  /// Without what a browser's earlier visit has brought to a page: who walks again has none.
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

  /// Whether what was sent has been taken: nobody is led to a dead end for that.
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

  /// Whether a browser without a visit is not shown that page.
  var needsVisit: Bool { step.page.map { !Self.firstPages.contains($0) } ?? false }

  private static let firstPages: Set = [
    "sign-in", "sign-up", "forgot-password", "sign-out", "error",
  ]

  /// What stood in the request line.
  var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The same with the names alone of what is asked for: the values may be addresses and tickets.
  var targetInWords: String {
    let names = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
      .map { Substring($0.prefix { $0 != UInt8(ascii: "=") }) }
    return names.isEmpty ? path : "\(path)?\(names.joined(separator: "&"))"
  }

  /// What a story expects of the page that is shown.
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
