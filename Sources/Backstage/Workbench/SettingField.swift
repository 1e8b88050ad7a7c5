internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Pages

extension FormField {
  /// A setting as it is filled in: what kind of field it is follows from what it takes.
  ///
  /// - Parameters:
  ///   - words: Its key, and what it is called.
  ///   - shape: What it takes.
  ///   - value: What it is now.
  ///   - usual: What it is in a new instance.
  /// - Returns: The field; a switch comes with a hidden one.
  static func setting(
    _ words: SettingWords,
    of shape: ValueShape,
    now value: JSON,
    byDefault usual: JSON
  ) -> [FormField] {
    let parts = [
      words.hint, shape.hint.map { "\($0)." },
      "Default: \(SettingWords.words(for: usual.typed)).",
    ]
    let hint = parts.compactMap(\.self).joined(separator: " ")
    func choice(_ values: [String]) -> [FormField] {
      let choices = values.map { (value: $0, words: SettingWords.words(for: $0)) }
      return [
        .choice(words.key, label: words.label, among: choices, chosen: value.typed, hint: hint)
      ]
    }
    switch shape {
    case .flag:
      return checkbox(words.key, label: words.label, isChecked: value == true, hint: hint)
    case .choice(let values): return choice(values)
    case .optional(.flag): return choice(["true", "false"])
    case .optional(.choice(let values)): return choice(values)
    case .number, .text, .texts, .choices, .object, .list, .json, .optional:
      let inputMode = shape.isNumber ? "numeric" : nil
      return [
        .line(
          words.key,
          label: words.label,
          value: value.typed,
          hint: hint,
          inputMode: inputMode
        )
      ]
    }
  }
}

extension ValueShape {
  /// What was typed, as the value that the setting takes.
  ///
  /// What cannot be one stays the text that it is, so that it is refused with the setting's name.
  func value(typed text: String) -> JSON {
    switch self {
    case .flag: Bool(text).map(JSON.bool) ?? .string(text)
    case .number:
      Int64(text.trimmingCharacters(in: .whitespaces)).map(JSON.integer) ?? .string(text)
    case .text, .choice: .string(text)
    case .texts, .choices:
      .array(
        text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) }
      )
    // As an empty list stands in its field.
    case .list where text.isEmpty: []
    case .object, .list, .json: JSON(decoding: Array(text.utf8)) ?? .string(text)
    case .optional(let shape): text.isEmpty ? .null : shape.value(typed: text)
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .number: true
    case .optional(let shape): shape.isNumber
    case .flag, .text, .texts, .choice, .choices, .object, .list, .json: false
    }
  }

  /// What may be typed, where the field itself does not say so.
  var hint: String? {
    switch self {
    case .flag, .text, .choice: nil
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .texts: "Separated by commas"
    case .choices(let values): "Of \(values.joined(separator: ", ")), separated by commas"
    case .object, .list, .json: "As JSON"
    case .optional(let shape): shape.hint.map { $0 + ", or empty" } ?? "May be empty"
    }
  }
}

extension JSON {
  /// As it stands in a field: a list of texts without its brackets, nothing for null.
  var typed: String {
    switch self {
    case .null: ""
    case .array(let elements) where elements.allSatisfy { $0.string != nil }:
      elements.compactMap(\.string).joined(separator: ", ")
    case .bool, .integer, .number, .string, .array, .object: shown
    }
  }
}
