internal import Emulators
internal import Headless
public import HTTPExchange
internal import HTTPTypes

extension Stories {
  private static let mark = Array("&\(field)=".utf8)
  /// How many bytes at the end of a body are searched for the mark and the step's number, which is
  /// short.
  private static let markRoom = mark.count + 4

  /// Whether the story's button sent the form.
  ///
  /// The button is the last control, so its field comes last.
  public static func fills(_ request: Request) -> Bool {
    guard request.method == .post else { return false }
    let end = request.body.suffix(markRoom)
    let number = end.reversed().prefix(while: \.isASCIIDigit)
    return end.dropLast(number.count).suffix(mark.count).elementsEqual(mark)
  }

  /// A form of a page, filled in as the person of the story would; unchanged if no story is told.
  ///
  /// The page, its token and its state are the browser's own: the story provides only what is
  /// typed.
  public func filled(_ request: Request) async -> Request {
    guard let name = request.namedWorld, let world = worlds.opened(name),
      let walk = world.walk, let sent = try? FormData(decoding: request.body),
      let step = sent[Self.field].flatMap(Int.init), walk.story.steps.indices.contains(step),
      case .submit(let inputs, let form)? = walk.story.steps[step].action
    else { return request }
    let player = player(for: request, in: name)
    world.press(step)
    do {
      var typed = inputs
      // After a refusal the form shows what was typed before, which somebody may have changed.
      for (name, text) in walk.story.textTyped(before: step, into: form)
      where typed[name] == nil && sent[name] != nil && sent[name] != text {
        typed[name] = .text(text)
      }
      // Typed texts are sent as they are; choices have to be looked up on the page.
      let mayBeChosen = typed.filter { name, input in
        input.isText && (sent[name] == nil || inputs[name] == nil)
      }
      if let page = walk.page, !mayBeChosen.isEmpty {
        let cookies = request.cookies.map { (String($0.name), String($0.value)) }
        await player.browser.replaceCookies(Dictionary(cookies) { $1 })
        try await player.browser.open(FlowMap.path(of: page))
      }
      let values = try await player.values(of: typed, form: form)
      var filled = request
      filled.body = sent.filled(with: values, without: Self.field).encoded
      return filled
    } catch {
      // There is no such code: let the page refuse the form and say what is missing.
      return request
    }
  }
}

extension Story {
  /// The texts that a form still shows after it was refused in the preceding steps.
  fileprivate func textTyped(before step: Int, into form: String?) -> [String: String] {
    var typed: [String: String] = [:]
    for earlier in steps[..<step].reversed() {
      guard case .submit(let inputs, form)? = earlier.action, earlier.expectation.isAboutRefusals
      else { break }
      // Passwords are never filled in again.
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
