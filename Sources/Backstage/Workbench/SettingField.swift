internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Pages

extension FormField {
  /// The form fields of the settings that the auth API uses.
  ///
  /// - Parameters:
  ///   - group: The group to which they belong; nil for all.
  ///   - settings: The settings as they are now.
  ///   - api: The auth API.
  /// - Returns: The fields, in the order of the page.
  static func settings(
    in group: SettingWords.Group? = nil,
    of settings: InstanceSettings,
    behind api: EmulatedAPI
  ) -> [FormField] {
    let shapes = Dictionary(uniqueKeysWithValues: InstanceSettings.keys.map { ($0.name, $0.shape) })
    let (now, defaults) = (settings.json, InstanceSettings().json)
    let asked = SettingWords.all.filter {
      (group == nil || $0.group == group) && InstanceSettings.isAsked($0.key, by: api)
    }
    return asked.flatMap { words -> [FormField] in
      guard let shape = shapes[words.key] else { return [] }
      return setting(
        words,
        of: shape.offered(for: words.key, behind: api, now: now[words.key] ?? .null),
        now: now[words.key] ?? .null,
        byDefault: defaults[words.key] ?? .null
      )
    }
  }

  /// The form field of a setting; its kind follows from the values that the setting takes.
  ///
  /// - Parameters:
  ///   - words: The setting's key and texts.
  ///   - shape: The values that it takes.
  ///   - value: Its current value.
  ///   - usual: Its default.
  /// - Returns: The field; a switch comes with a hidden one.
  static func setting(
    _ words: SettingWords,
    of shape: ValueShape,
    now value: JSON,
    byDefault usual: JSON
  ) -> [FormField] {
    let usualWords = usual == .null ? "empty" : SettingWords.words(for: usual.typed)
    let parts = [words.hint, shape.hint.map { "\($0)." }, "Default: \(usualWords)."]
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
          value: shape.typed(value),
          hint: hint,
          inputMode: inputMode
        )
      ]
    }
  }
}

extension ValueShape {
  /// The shape without choices that have no effect over the auth API, except the present one.
  fileprivate func offered(for key: String, behind api: EmulatedAPI, now value: JSON) -> Self {
    guard case .choice(let values) = self else { return self }
    return .choice(
      values.filter { $0 == value.typed || !SettingWords.isVoid($0, of: key, behind: api) }
    )
  }

  /// A value of the setting as text, which `value(typed:)` reads back as the same value.
  func typed(_ value: JSON) -> String {
    switch self {
    // An empty field would be null, which means the opposite: no limit.
    case .optional where value == []: Self.emptyList
    case .flag, .number, .text, .texts, .choice, .choices, .object, .list, .json, .optional:
      value.typed
    }
  }

  /// How an empty list is typed if an empty field is null.
  private static let emptyList = "[]"

  /// The typed text as a value of the setting.
  ///
  /// Text that cannot be one stays text, so that it is refused under the setting's name.
  func value(typed text: String) -> JSON {
    switch self {
    case .flag: Bool(text).map(JSON.bool) ?? .string(text)
    case .number:
      Int64(text.trimmingCharacters(in: .whitespaces)).map(JSON.integer) ?? .string(text)
    case .text, .choice: .string(text)
    case .texts, .choices:
      text.trimmingCharacters(in: .whitespaces) == Self.emptyList
        ? []
        : .array(
          text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) }
        )
    // An empty list has an empty field.
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

  /// What may be typed; nil if the field itself shows it.
  var hint: String? {
    switch self {
    case .flag, .text, .choice: nil
    case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .texts: "Separated by commas"
    case .choices(let values): "Any of \(values.joined(separator: ", ")), separated by commas"
    case .object, .list, .json: "As JSON"
    case .optional(let shape): shape.hint.map { $0 + ", or empty" } ?? "May be empty"
    }
  }
}

extension JSON {
  /// The value in a field: a list of texts without its brackets, nothing for null.
  var typed: String {
    switch self {
    case .null: ""
    case .array(let elements) where elements.allSatisfy { $0.string != nil }:
      elements.compactMap(\.string).joined(separator: ", ")
    case .bool, .integer, .number, .string, .array, .object: shown
    }
  }
}
