internal import AuthFlow

// What a step makes the pages call and send.

extension Story.Expectation {
  /// Checks a list of calls.
  static func calls(_ values: [JSONValue], at place: String) throws(StoryFault) -> [JSONValue] {
    for (index, value) in values.enumerated() {
      var call = try StoryObject(value, at: "\(place)[\(index)]")
      let method = try call.requiredText("method")
      try ClosedNames.methods.check(method, at: call.place(of: "method"))
      let path = try call.requiredText("path")
      guard path.hasPrefix("/"), !path.contains("?") else {
        throw call.fault(at: "path", "it is not a path that begins with '/' and has no query")
      }
      if var form = try call.opened("form") {
        for name in form.names { _ = try form.text(name) }
      }
      try call.finish()
    }
    return values
  }

  /// Checks a list of messages.
  static func messages(_ values: [JSONValue], at place: String) throws(StoryFault) -> [JSONValue] {
    for (index, value) in values.enumerated() {
      var message = try StoryObject(value, at: "\(place)[\(index)]")
      _ = try message.requiredText("to")
      _ = try message.name("purpose", of: .purposes)
      _ = try message.name("channel", of: .channels)
      try message.finish()
    }
    return values
  }

  /// How the calls of a step differ from those expected, one sentence per difference.
  func differences(fromCalls made: [TestBackstage.Call]) -> [String] {
    guard let calls else { return [] }
    let parts = calls.map { call in JSONValue.object(call.members.filter { $0.name != "form" }) }
    let values = made.enumerated().map { index, call in
      // A pattern stands for every path that it covers.
      let pattern = calls.indices.contains(index) ? calls[index]["path"] : nil
      let path: JSONValue =
        pattern.flatMap { call.path.isCovered(by: $0) ? $0 : nil } ?? .string(call.path)
      return JSONValue.object([.init("method", .string(call.method)), .init("path", path)])
    }
    let found = JSONValue.array(values).differences(from: .array(parts), at: "calls")
    guard calls.count == made.count else { return found }
    let forms = zip(calls, made).enumerated().flatMap { index, pair in
      pair.1.differences(fromForm: pair.0["form"]?.members ?? [], at: "calls[\(index)].form")
    }
    return found + forms
  }

  /// How the messages of a step differ from those expected, one sentence per difference.
  func differences(fromMessages sent: [TestBackstage.Message]) -> [String] {
    guard let messages else { return [] }
    let values = sent.map { message in
      JSONValue.object([
        .init("to", .string(message.to)), .init("purpose", .string(message.purpose)),
        .init("channel", .string(message.channel)),
      ])
    }
    return JSONValue.array(values).differences(from: .array(messages), at: "messages")
  }
}

extension TestBackstage.Call {
  /// How the named parameters of its form differ.
  ///
  /// What is expected may be a secret. It is printed only beside a value without one, and traces
  /// mask the values of secret parameters.
  fileprivate func differences(
    fromForm expected: [JSONValue.Member],
    at place: String
  ) -> [String] {
    expected.compactMap { member -> String? in
      guard case .string(let text) = member.value, form[member.name] != text else { return nil }
      let place = "\(place).\(member.name)"
      guard let sent = form[member.name] else { return "\(place) is missing" }
      // An empty secret is not masked.
      if sent.isEmpty { return "\(place) is empty" }
      if sent.contains(#/<[a-z_ ]+>/#) { return "\(place) has a secret: expect \"\(sent)\"" }
      return "\(place) is \"\(sent)\", not \"\(text)\""
    }
  }
}

extension JSONValue {
  /// The members of an object; none if this is not one.
  fileprivate var members: [Member] {
    if case .object(let members) = self { return members }
    return []
  }
}
