internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Pages

extension [FormField] {
  /// Every setting as it is now.
  static func settings(_ settings: InstanceSettings) -> Self {
    let values = settings.json
    return InstanceSettings.keys.flatMap { key in
      FormField.setting(key.name, of: key.shape, now: values[key.name] ?? .null)
    }
  }
}

extension FormField {
  /// A setting as it is filled in: what kind of field it is follows from what it takes.
  ///
  /// - Parameters:
  ///   - name: Its key.
  ///   - shape: What it takes.
  ///   - value: What it is now.
  /// - Returns: The field; a switch comes behind a hidden one, since a browser sends only those that
  ///   are on.
  fileprivate static func setting(_ name: String, of shape: ValueShape, now value: JSON)
    -> [FormField]
  {
    let typed = value.typed
    func line(_ hint: Prose?, inputMode: String? = nil) -> [FormField] {
      [.line(name, label: name, value: typed, hint: hint, inputMode: inputMode)]
    }
    return switch shape {
    case .flag:
      [
        FormField(Field(named: name), kind: .hidden, label: nil, value: "false"),
        FormField(
          Field(named: name),
          kind: .checkbox,
          label: name,
          isRequired: false,
          value: "true",
          isChecked: value == true
        ),
      ]
    case .choice(let values): [.choice(name, label: name, among: values, chosen: typed)]
    case .optional(.flag):
      [.choice(name, label: name, among: ["true", "false"], chosen: typed)]
    case .optional(.choice(let values)):
      [.choice(name, label: name, among: values, chosen: typed)]
    case .number, .text, .texts, .choices, .json, .optional:
      line(shape.hint, inputMode: shape.isNumber ? "numeric" : nil)
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
    case .json: JSON(decoding: Array(text.utf8)) ?? .string(text)
    case .optional(let shape): text.isEmpty ? .null : shape.value(typed: text)
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .number: true
    case .optional(let shape): shape.isNumber
    case .flag, .text, .texts, .choice, .choices, .json: false
    }
  }

  /// What may be typed, where the field itself does not say so.
  fileprivate var hint: Prose? {
    switch self {
    case .flag, .text, .choice: nil
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .texts: "Separated by commas"
    case .choices(let values): "Of \(values.joined(separator: ", ")), separated by commas"
    case .json: "As JSON"
    case .optional(let shape): shape.hint.map { $0 + ", or empty" } ?? "May be empty"
    }
  }
}

extension JSON {
  /// As it stands in a field: a list of texts without its brackets, nothing for null.
  fileprivate var typed: String {
    switch self {
    case .null: ""
    case .array(let elements) where elements.allSatisfy { $0.string != nil }:
      elements.compactMap(\.string).joined(separator: ", ")
    case .bool, .integer, .number, .string, .array, .object: shown
    }
  }
}
