public import AuthFlow
internal import Foundation
internal import HTTPExchange

extension Story {
  /// The part of a page's JSON twin that a step is to lead to; what it does not name may be anything.
  public struct Expectation: Sendable {
    public internal(set) var status: Int?
    public internal(set) var page: String?
    public internal(set) var step: String?
    /// Null where the page is to be of no flow.
    public internal(set) var flow: JSONValue?
    /// The codes of the general errors; nil where they may be any.
    public internal(set) var errors: [String]?
    /// The codes of the errors at fields, of whichever form.
    public internal(set) var fieldErrors: [String: [String]] = [:]
    public internal(set) var notices: [String]?
    /// The names of all forms, each with the fields that a person sees in it; nil where they may be any.
    public internal(set) var forms: [String: [String]]?
    /// What the page's facts hold, among others.
    public internal(set) var facts: JSONValue?
  }
}

extension Story.Expectation {
  /// Whether any page will do, and none.
  var isEmpty: Bool {
    status == nil && page == nil && step == nil && flow == nil && errors == nil
      && fieldErrors.isEmpty
      && notices == nil && forms == nil && facts == nil
  }

  init(_ object: StoryObject) throws(StoryFault) {
    var object = object
    status = try object.number("status")
    page = try object.text("page")
    step = try object.text("step")
    flow = try object.textOrNull("flow")
    switch object.take("errors") {
    case nil: break
    case .object(let members):
      let place = object.place(of: "errors")
      for member in members {
        let codes = try Self.codes(member.value, at: "\(place).\(member.name)")
        if member.name == "general" { errors = codes } else { fieldErrors[member.name] = codes }
      }
    case let errors?: self.errors = try Self.codes(errors, at: object.place(of: "errors"))
    }
    if let notices = object.take("notices") {
      self.notices = try Self.codes(notices, at: object.place(of: "notices"))
    }
    if var forms = try object.opened("forms") {
      var fields: [String: [String]] = [:]
      for form in forms.names {
        let place = forms.place(of: form)
        fields[form] = try forms.take(form).map { value throws(StoryFault) in
          try Self.codes(value, at: place)
        }
      }
      self.forms = fields
    }
    facts = try object.object("facts")
    try object.finish()
  }

  /// A list of codes or names, or of messages as the twin has them.
  private static func codes(
    _ value: JSONValue,
    at place: String
  ) throws(StoryFault) -> [String] {
    guard case .array(let values) = value else {
      throw StoryFault(place: place, reason: "it is not a list of codes")
    }
    var codes: [String] = []
    for value in values {
      guard case .string(let code) = value["code"] ?? value else {
        throw StoryFault(place: place, reason: "it is not a list of codes")
      }
      codes.append(code)
    }
    return codes
  }

  /// What a page shows otherwise than it is told, a sentence each; none where it is as told.
  func differences(from page: PageSnapshot) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ what: String, _ expected: Value?, _ actual: Value?) {
      guard let expected, expected != actual else { return }
      found.append("\(what) is \(Self.told(actual)), not \(Self.told(expected))")
    }
    compare("page", self.page, page.page)
    compare("step", step, page.step)
    if let flow, flow != .string(orNull: page.flow) {
      found.append("flow is \(Self.told(page.flow)), not \(flow.textInWords)")
    }
    compare("status", status, page.status)
    compare("errors", errors, page.errorCodes)
    for (field, codes) in fieldErrors.sorted(by: { $0.key < $1.key }) {
      compare("errors.\(field)", codes, page.errorCodes(at: field))
    }
    compare("notices", notices, page.noticeCodes)
    if let forms {
      let shown = page.forms.filter { !$0.name.hasPrefix(PageSnapshot.endingPrefix) }
      compare("forms", forms.keys.sorted(), shown.map(\.name).sorted())
      for form in shown { compare("forms.\(form.name)", forms[form.name], form.visibleFields) }
    }
    if let facts {
      found += (page.document["facts"] ?? .null).differences(from: facts, at: "facts")
    }
    return found
  }

  private static func told<Value>(_ value: Value?) -> String {
    value.map { "\($0)" } ?? "null"
  }
}

extension JSONValue {
  fileprivate var textInWords: String {
    if case .string(let text) = self { return text }
    return "null"
  }
}

extension PageSnapshot {
  fileprivate var document: JSONValue {
    JSONBody.decode(JSONValue.self, from: Array(body)) ?? .null
  }
}

extension JSONValue {
  /// What of a part is otherwise in it, a sentence each, or is not there; none where it holds all of that.
  fileprivate func differences(from part: JSONValue, at place: String) -> [String] {
    guard case .object(let members) = part, case .object = self else {
      return self == part ? [] : ["\(place) is \(text), not \(part.text)"]
    }
    return members.flatMap { member in
      let place = "\(place).\(member.name)"
      return self[member.name].map { $0.differences(from: member.value, at: place) }
        ?? ["\(place) is missing, not \(member.value.text)"]
    }
  }
}
