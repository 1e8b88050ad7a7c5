public import AuthFlow
internal import Foundation
internal import HTTPExchange

extension Story {
  /// The part of a page's JSON twin, and its status, that a step should lead to, and what the step
  /// should make the pages call and send.
  ///
  /// What it does not name may be anything.
  public struct Expectation: Sendable {
    public internal(set) var status: Int?
    public internal(set) var page: String?
    public internal(set) var step: String?
    /// Null if the page should belong to no flow.
    public internal(set) var flow: JSONValue?
    public internal(set) var title: String?
    /// The codes of the general errors; nil if they may be any.
    public internal(set) var errors: [String]?
    /// The codes of the errors at fields, whatever the form.
    public internal(set) var fieldErrors: [String: [String]] = [:]
    public internal(set) var notices: [String]?
    /// The visible fields of each form, by the names of all forms; nil if they may be any.
    public internal(set) var forms: [String: [String]]?
    /// Some of the page's facts.
    public internal(set) var facts: JSONValue?
    /// Lists as in the twin: each must be complete, but its objects may have further members.
    var lists: [JSONValue.Member] = []
    /// The calls to the auth API that the step makes, in order; nil if they may be any.
    var calls: [JSONValue]?
    /// The messages that are sent in the step, in order; nil if they may be any.
    var messages: [JSONValue]?
  }
}

extension Story.Expectation {
  /// Whether any page will do, or none at all.
  var isEmpty: Bool {
    status == nil && page == nil && step == nil && flow == nil && title == nil && errors == nil
      && fieldErrors.isEmpty && notices == nil && forms == nil && facts == nil && lists.isEmpty
  }

  init(_ object: StoryObject) throws(StoryFault) {
    var object = object
    status = try object.number("status")
    page = try object.name("page", of: .pages)
    step = try object.text("step")
    if let step, !Self.isStatus(step) {
      try ClosedNames.steps.check(step, at: object.place(of: "step"))
    }
    flow = try object.textOrNull("flow")
    if case .string(let flow)? = flow {
      try ClosedNames.flows.check(flow, at: object.place(of: "flow"))
    }
    title = try object.text("title")
    switch object.take("errors") {
    case nil: break
    case .object(let members):
      let place = object.place(of: "errors")
      for member in members {
        let codes = try Self.codes(member.value, at: "\(place).\(member.name)")
        if member.name == "general" { errors = codes } else { fieldErrors[member.name] = codes }
      }
    case let errors?:
      self.errors = try Self.codes(errors, at: object.place(of: "errors"))
      expectWhole(errors, as: "errors")
    }
    if let notices = object.take("notices") {
      let place = object.place(of: "notices")
      let codes = try Self.codes(notices, at: place)
      for (index, code) in codes.enumerated() {
        try ClosedNames.notices.check(code, at: "\(place)[\(index)]")
      }
      self.notices = codes
      expectWhole(notices, as: "notices")
    }
    let formsPlace = object.place(of: "forms")
    switch object.take("forms") {
    case nil: break
    case .array(let forms)?:
      lists.append(.init("forms", try Self.named(forms, at: formsPlace)))
    case let forms?: self.forms = try Self.fields(forms, at: formsPlace)
    }
    if object.has("links") {
      let place = object.place(of: "links")
      lists.append(.init("links", try Self.named(try object.list("links"), at: place)))
    }
    facts = try object.object("facts")
    if object.has("calls") {
      let place = object.place(of: "calls")
      calls = try Self.calls(try object.list("calls"), at: place)
    }
    if object.has("messages") {
      let place = object.place(of: "messages")
      messages = try Self.messages(try object.list("messages"), at: place)
    }
    try object.finish()
  }

  /// Whether the step is one of the page `error`: a status.
  private static func isStatus(_ step: String) -> Bool {
    step.utf8.count == 3 && step.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Expects messages by more than their codes.
  ///
  /// References are left out, because they differ in every response.
  private mutating func expectWhole(_ messages: JSONValue, as name: String) {
    guard case .array(let values) = messages, values.contains(where: { $0["code"] != nil }) else {
      return
    }
    let told = values.map { value -> JSONValue in
      switch value {
      case .object(let members): .object(members.filter { $0.name != "reference" })
      case .null, .bool, .number, .decimal, .string, .array: .object([.init("code", value)])
      }
    }
    lists.append(.init(name, .array(told)))
  }

  /// The visible fields of each form, by form name.
  private static func fields(
    _ value: JSONValue,
    at place: String
  ) throws(StoryFault) -> [String: [String]] {
    var forms = try StoryObject(value, at: place)
    var fields: [String: [String]] = [:]
    for form in forms.names {
      let place = forms.place(of: form)
      fields[form] = try forms.take(form).map { value throws(StoryFault) in
        try codes(value, at: place)
      }
    }
    return fields
  }

  /// Forms or links as in the twin, or their names.
  private static func named(
    _ values: [JSONValue],
    at place: String
  ) throws(StoryFault) -> JSONValue {
    var told: [JSONValue] = []
    for value in values {
      switch value {
      case .string: told.append(.object([.init("name", value)]))
      case .object where value["name"] != nil: told.append(value)
      default: throw StoryFault(place: place, reason: "it is not a list of names")
      }
    }
    return .array(told)
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

  /// How a page differs from this expectation, one sentence per difference; empty if it does not.
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
    compare("title", title, page.title)
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
    guard facts != nil || !lists.isEmpty else { return found }
    let twin = page.document
    for part in lists + (facts.map { [JSONValue.Member("facts", $0)] } ?? []) {
      found += (twin[part.name] ?? .null).differences(from: part.value, at: part.name)
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
  /// How this value falls short of containing `part`, one sentence per difference; empty if it
  /// contains all of it.
  ///
  /// A list contains another if both have the same length and each element contains its
  /// counterpart.
  func differences(from part: JSONValue, at place: String) -> [String] {
    switch (part, self) {
    case (.object(let members), .object):
      return members.flatMap { member in
        let place = "\(place).\(member.name)"
        return self[member.name].map { $0.differences(from: member.value, at: place) }
          ?? ["\(place) is missing, not \(member.value.text)"]
      }
    case (.array(let parts), .array(let values)) where part.hasObjects || hasObjects:
      // Only the names of elements are printed, because forms have tokens.
      guard parts.count == values.count else {
        let names = Self.namedDifferences(of: values, from: parts)
        return ["\(place) are \(values.count), not \(parts.count)\(names)"]
      }
      return zip(parts, values).enumerated().flatMap { index, pair in
        pair.1.differences(from: pair.0, at: "\(place)[\(index)]")
      }
    default: return self == part ? [] : ["\(place) is \(text), not \(part.text)"]
    }
  }

  /// Whether this is a list with an object among its elements.
  private var hasObjects: Bool {
    guard case .array(let values) = self else { return false }
    return values.contains { if case .object = $0 { true } else { false } }
  }
}
