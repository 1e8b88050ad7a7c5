internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Spelling

extension Story {
  /// The longest name, in bytes: leaves room for a suffix in the name of a world called after the
  /// story.
  static let nameLimit = 32

  /// Reads a story's file.
  ///
  /// - Parameter document: JSON in UTF-8.
  /// - Throws: `StoryFault` for the first key that is unknown, missing or has an invalid value.
  public init(document: [UInt8]) throws(StoryFault) {
    if let fault = JSONFault(in: document) {
      throw StoryFault(place: "", reason: fault.description)
    }
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(document))
    } catch {
      throw StoryFault(place: "", reason: "it is not JSON")
    }
    var object = try StoryObject(value, at: "")
    name = try object.requiredText("name")
    title = try object.requiredText("title")
    summary = try object.requiredText("summary")
    api = try object.text("api")
    if let api, !Stands.apis.contains(api) {
      throw object.fault(at: "api", "it is neither \(Stands.apis.joined(separator: " nor "))")
    }
    settings = try object.object("settings")
    users = try object.list("users")
    let beginning = try Self.beginning(takenFrom: &object)
    clock = beginning.clock
    isClockFrozen = beginning.isFrozen
    faults = try object.list("faults")
    steps = []
    self.document = document
    for (index, step) in try object.list("steps").enumerated() {
      steps.append(try Step(StoryObject(step, at: "steps[\(index)]")))
    }
    if steps.isEmpty { throw object.fault(at: "steps", "there are none") }
    try Self.checkBrowsers(of: steps)
    try Self.check(name, at: object.place(of: "name"))
    try object.finish()
  }

  /// Takes the member `clock`: a time, or an object with `set`, `freeze` or both.
  private static func beginning(
    takenFrom object: inout StoryObject
  ) throws(StoryFault) -> (clock: String?, isFrozen: Bool) {
    switch object.take("clock") {
    case nil: return (nil, false)
    case .string(let time)?:
      return (try checked(time, at: object.place(of: "clock")), false)
    case .object(let members)?:
      var clock = try StoryObject(.object(members), at: object.place(of: "clock"))
      let time = try clock.text("set")
      let freezes = try clock.flag("freeze")
      try clock.finish()
      guard time != nil || freezes != nil else {
        throw object.fault(at: "clock", "it has neither 'set' nor 'freeze'")
      }
      let place = clock.place(of: "set")
      let start = try time.map { time throws(StoryFault) in try checked(time, at: place) }
      return (start, freezes ?? false)
    case .null?, .bool?, .number?, .decimal?, .array?:
      throw object.fault(
        at: "clock",
        "it is neither a time like \(exampleTime) nor an object with 'set', 'freeze' or both"
      )
    }
  }

  private static let exampleTime = "2026-11-21T14:35:00Z"

  /// The same text, if it is a time as `POST clock` accepts it.
  private static func checked(_ time: String, at place: String) throws(StoryFault) -> String {
    let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)/
    let style = Date.ISO8601FormatStyle()
    let seconds = "\(time.prefix(19))Z"
    // The parser reads 30 February as a day in March.
    guard time.wholeMatch(of: form) != nil, let date = try? style.parse(seconds),
      style.format(date) == seconds
    else {
      throw StoryFault(place: place, reason: "it is not a time like \(exampleTime)")
    }
    return time
  }

  /// - Throws: `StoryFault` for the first form that is sent in a named browser which is at no page.
  private static func checkBrowsers(of steps: [Step]) throws(StoryFault) {
    // The first browser may have been brought to a page before the story.
    var known: [String] = []
    for (index, step) in steps.enumerated() {
      guard let browser = step.browser else { continue }
      switch step.action {
      case .open, .stand:
        if !known.contains(browser) { known.append(browser) }
      case .submit where !known.contains(browser):
        let hint = browser.nearestName(among: known).map { ": did you mean '\($0)'?" } ?? ""
        throw StoryFault(
          place: "steps[\(index)].browser",
          reason: "no step before has opened a page in '\(browser)'\(hint)"
        )
      case .submit, .deed, nil: break
      }
    }
  }

  /// - Throws: `StoryFault` if the text is not the name of a story or of a browser.
  fileprivate static func check(_ name: String, at place: String) throws(StoryFault) {
    guard (1...nameLimit).contains(name.utf8.count), name.utf8.allSatisfy(isPartOfName) else {
      throw StoryFault(place: place, reason: "it is not 1 to \(nameLimit) of a-z, 0-9 and -")
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension Story.Step {
  /// A step without a sentence.
  init(untold value: JSONValue, at place: String) throws(StoryFault) {
    var object = try StoryObject(value, at: place)
    try self.init(&object, saying: "")
  }

  fileprivate init(_ object: StoryObject) throws(StoryFault) {
    var object = object
    let words = try object.requiredText("say")
    guard !words.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw object.fault(at: "say", "it has a line break, or another control character")
    }
    try self.init(&object, saying: words)
  }

  private init(_ object: inout StoryObject, saying words: String) throws(StoryFault) {
    say = words
    browser = try object.text("browser")
    if let browser { try Story.check(browser, at: object.place(of: "browser")) }
    var actions: [Story.Action] = []
    if let place = object.take("open") {
      actions.append(.open(try Story.Place(place, at: object.place(of: "open"))))
    }
    let form = try object.text("form")
    if var fields = try object.opened("submit") {
      var values: [String: Story.Input] = [:]
      for name in fields.names {
        let place = fields.place(of: name)
        values[name] = try fields.take(name).map { value throws(StoryFault) in
          try Story.Input(value, at: place)
        }
      }
      actions.append(.submit(values, form: form))
    } else if form != nil {
      throw object.fault(at: "form", "there is nothing to submit to it")
    }
    if var stand = try object.opened("stand") {
      let page = try stand.requiredText("page")
      try ClosedNames.pages.check(page, at: stand.place(of: "page"))
      let state = stand.take("state")
      if case .string(let name)? = state {
        actions.append(.stand(page: page, state: name))
      } else if state == nil || state == .null {
        actions.append(.stand(page: page, state: nil))
      } else {
        throw stand.fault(at: "state", "it is not text")
      }
      try stand.finish()
    }
    actions += try Story.Deed.taken(from: &object).map(Story.Action.deed)
    if let expected = try object.opened("expect") { expectation = try .init(expected) }
    try object.finish()
    guard actions.count <= 1 else {
      throw StoryFault(place: object.place, reason: "two things happen in one step")
    }
    action = actions.first
    if browser != nil, case .deed? = action {
      throw object.fault(at: "browser", "what the step does happens beside all browsers")
    }
  }
}

extension Story.Deed {
  /// Takes the members that act on backstage.
  fileprivate static func taken(from object: inout StoryObject) throws(StoryFault) -> [Self] {
    var deeds: [Self] = []
    for key in Key.allCases where object.has(key.rawValue) {
      deeds.append(try Self(key, takenFrom: &object))
    }
    return deeds
  }

  private init(_ key: Key, takenFrom object: inout StoryObject) throws(StoryFault) {
    let name = key.rawValue
    switch key {
    case .clock: self = .clock(try object.requiredObject(name))
    case .settings: self = .settings(try object.requiredObject(name))
    case .fault: self = .fault(try object.requiredObject(name))
    case .faults: self = .faults(try object.list(name))
    case .user:
      guard var user = try object.opened(name) else {
        throw object.fault(at: name, "it is missing")
      }
      let identifier = try user.requiredText("identifier")
      let change = try user.requiredObject("change")
      try user.finish()
      self = .user(identifier: identifier, change)
    case .newUser: self = .newUser(try object.requiredObject(name))
    case .invitation: self = .invitation(try object.requiredObject(name))
    case .world: self = .world(try object.requiredObject(name))
    case .delete:
      let place = object.place(of: name)
      guard let gone = object.take(name) else { throw object.fault(at: name, "it is missing") }
      self = .delete(try Story.Deletion(gone, at: place))
    }
  }
}

extension Story.Deletion {
  fileprivate init(_ value: JSONValue, at place: String) throws(StoryFault) {
    switch value {
    case .string("messages"): self = .messages
    case .string("traces"): self = .traces
    case .string:
      throw StoryFault(
        place: place,
        reason: "it is neither messages nor traces, nor an object with 'user' or 'latest'"
      )
    default:
      var object = try StoryObject(value, at: place)
      if let identifier = try object.text("user") {
        self = .user(identifier: identifier)
      } else {
        self = .message(try Story.MessageFilter(takenFrom: &object))
      }
      try object.finish()
    }
  }
}

extension Story.Place {
  fileprivate init(_ value: JSONValue, at place: String) throws(StoryFault) {
    switch value {
    case .string(let path):
      // Browsers treat '\' as '/'.
      let isPlain = path.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\")
      }
      guard path.hasPrefix("/"), !path.hasPrefix("//"), isPlain else {
        throw StoryFault(place: place, reason: "it is not a path of this site")
      }
      guard !["/backstage", "/public"].contains(where: { path.isAtOrBelow($0) }) else {
        throw StoryFault(place: place, reason: "it is not one of the pages")
      }
      self = .path(path)
    default:
      var object = try StoryObject(value, at: place)
      self = .link(try Story.MessageFilter(takenFrom: &object))
      try object.finish()
    }
  }
}

extension String {
  fileprivate func isAtOrBelow(_ folder: String) -> Bool {
    let path = prefix { $0 != "?" && $0 != "#" }
    return path == folder || path.hasPrefix("\(folder)/")
  }
}

extension Story.Input {
  fileprivate init(_ value: JSONValue, at place: String) throws(StoryFault) {
    if case .string(let text) = value {
      self = .text(text)
      return
    }
    guard case .object = value else {
      throw StoryFault(
        place: place,
        reason: "it is neither a text nor an object with 'latest' or 'totp'"
      )
    }
    var object = try StoryObject(value, at: place)
    if let identifier = try object.text("totp") {
      self = .totp(identifier)
    } else {
      self = .latest(try Story.MessageFilter(takenFrom: &object))
    }
    try object.finish()
  }
}

extension Story.MessageFilter {
  /// Takes the member `latest`.
  fileprivate init(takenFrom object: inout StoryObject) throws(StoryFault) {
    guard var latest = try object.opened("latest") else {
      throw object.fault(at: "latest", "it is missing")
    }
    to = try latest.requiredText("to")
    purpose = try latest.name("purpose", of: .purposes)
    try latest.finish()
  }
}
