internal import AuthFlow
internal import Emulators
internal import HTTPExchange
internal import Pages

/// The values that a form was filled with, by field name; secrets are never among them (R9).
///
/// The form carries them along, so that only what somebody has changed in it is sent, and what was
/// changed elsewhere since the page was opened stays.
struct FilledValues {
  /// The form field that carries them.
  static let field = "before"

  private var values: [String: String] = [:]

  /// The values that a browser sends if nobody touches the fields.
  init(of lines: [FormField]) {
    for line in lines where !line.isSecret {
      // The hidden field before a switch says that it is off.
      if line.kind == .checkbox, !line.isChecked { continue }
      values[line.field.name] = line.value ?? ""
    }
  }

  /// The values that a form carries; nil if it carries none, as when a script sends it.
  init?(carriedBy form: FormData) {
    guard let text = form[Self.field],
      case .object(let members)? = JSON(decoding: Array(text.utf8))
    else { return nil }
    for member in members { values[member.name] = member.value.string }
  }

  /// The value of the field that carries them.
  var carried: String {
    let members = values.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
    return JSON.object(members).shown
  }

  /// Whether the form has another value in a field than it was filled with.
  func isTouched(_ name: String, in form: FormData) -> Bool {
    form.values(of: name).last.map { $0 != values[name] } ?? false
  }

  /// The form without the fields that nobody has touched.
  func touched(in form: FormData) -> FormData {
    FormData(form.fields.filter { isTouched($0.name, in: form) })
  }

  /// Why a field cannot be sent: it was changed both in the form and elsewhere, and not alike.
  ///
  /// - Parameters:
  ///   - line: The field as it would be filled now.
  ///   - form: The form that was sent.
  ///   - now: The values that it would be filled with now.
  /// - Returns: What is wrong; nil if nothing is.
  func conflict(at line: FormField, in form: FormData, _ now: FilledValues) -> String? {
    let name = line.field.name
    guard isTouched(name, in: form), let former = values[name], let current = now.values[name],
      current != former, now.isTouched(name, in: form)
    else { return nil }
    return "was changed elsewhere meanwhile, and is \(line.told) now; saving again replaces that"
  }
}

extension FormData {
  /// The form without what nobody has changed in it.
  ///
  /// - Parameter lines: The fields as they would be filled now.
  /// - Returns: What was changed; the whole form if it does not carry what it was filled with.
  /// - Throws: A refusal at every field that was changed elsewhere, too.
  func changes(over lines: [FormField]) throws(BackstageRefusal) -> FormData {
    guard let before = FilledValues(carriedBy: self) else { return self }
    let now = FilledValues(of: lines)
    let conflicts = lines.filter(\.isVisible).compactMap { line -> BackstageRefusal? in
      guard let words = before.conflict(at: line, in: self, now) else { return nil }
      let name = line.field.name
      return BackstageRefusal.invalid("'\(name)' \(words).", at: name, words)
    }
    if let refusal = BackstageRefusal(of: conflicts) { throw refusal }
    return before.touched(in: self)
  }
}

extension FormField {
  /// Its value, as a part of a sentence.
  fileprivate var told: String {
    if kind == .checkbox { return isChecked ? "on" : "off" }
    guard let value, !value.isEmpty else { return "empty" }
    if let choice = choices.first(where: { $0.value == value }),
      case .verbatim(let words) = choice.label
    {
      return "“\(words)”"
    }
    return "“\(value.prefix(100))”"
  }
}
