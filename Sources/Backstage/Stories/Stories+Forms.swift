internal import Emulators
internal import Headless
public import HTTPExchange
internal import HTTPTypes

extension Stories {
  private static let mark = Array("&\(field)=".utf8)
  /// How far from its end a body says that a story fills it in: the number of a step is short.
  private static let markRoom = mark.count + 4

  /// Whether the story's button sent that form; it comes last of all, and so does what it sends.
  public static func fills(_ request: Request) -> Bool {
    guard request.method == .post else { return false }
    let end = request.body.suffix(markRoom)
    let number = end.reversed().prefix(while: \.isASCIIDigit)
    return end.dropLast(number.count).suffix(mark.count).elementsEqual(mark)
  }

  /// The form of a page as the person of the story fills it in; as it came where no story is told.
  ///
  /// The page, its token and what it keeps are the browser's own: only what is typed is the story's.
  public func filled(_ request: Request) async -> Request {
    guard let name = request.namedWorld, let world = worlds.opened(name),
      let walk = world.walk, let sent = try? FormData(decoding: request.body),
      let step = sent[Self.field].flatMap(Int.init), walk.story.steps.indices.contains(step),
      case .submit(let inputs, let form)? = walk.story.steps[step].action
    else { return request }
    let player = player(for: request, in: name)
    do {
      // What is typed stands in the form already, what is chosen stands in the page alone.
      if let page = walk.page, inputs.contains(where: { $0.value.isText && sent[$0.key] == nil }) {
        let cookies = request.cookies.map { (String($0.name), String($0.value)) }
        await player.browser.replaceCookies(Dictionary(cookies) { $1 })
        try await player.browser.open(FlowMap.path(of: page))
      }
      var values = try await player.values(of: inputs, form: form)
      for (name, text) in walk.story.textTyped(before: step, into: form)
      where values[name] == nil && sent[name]?.isEmpty == true {
        values[name] = text
      }
      var filled = request
      filled.body = sent.filled(with: values, without: Self.field).encoded
      return filled
    } catch {
      // A code that cannot be had: the page refuses the form, and says what it lacks.
      return request
    }
  }
}

extension Story {
  /// What stands in a form that was refused in the steps before.
  fileprivate func textTyped(before step: Int, into form: String?) -> [String: String] {
    var typed: [String: String] = [:]
    for earlier in steps[..<step].reversed() {
      guard case .submit(let inputs, form)? = earlier.action, earlier.expectation.isAboutRefusals
      else { break }
      // A password stands in no form again.
      for case (let name, .text(let text)) in inputs
      where typed[name] == nil && !name.hasSuffix("password") {
        typed[name] = text
      }
    }
    return typed
  }
}

extension Story.Input {
  fileprivate var isText: Bool {
    switch self {
    case .text: true
    case .latest, .totp: false
    }
  }
}

extension FormData {
  fileprivate func filled(with values: [String: String], without name: String) -> FormData {
    let known = Set(fields.map(\.name))
    var filled = FormData(fields.filter { $0.name != name })
    for index in filled.fields.indices {
      if let value = values[filled.fields[index].name] { filled.fields[index].value = value }
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      filled.append(name, value)
    }
    return filled
  }
}
