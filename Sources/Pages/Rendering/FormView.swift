import AuthFlow
import Foundation

/// What `partials/form` asks for.
package final class FormView: TemplateView {
  package enum Name: String, CaseIterable, Sendable {
    case id, action, token, hidden, helpers, fields, button, weight, emphasis, purpose, wait, face
    case describedBy
  }

  let id: String
  let action: String
  let token: Value
  let fields: [FieldView]
  let button: String
  let weight: Form.Weight
  /// How much the button stands out just now.
  let emphasis: Form.Weight
  let purpose: String?
  let wait: Wait?
  let face: Face?
  /// The id of the element that distinguishes buttons with the same words; nil if there is only
  /// one.
  let describedBy: String?
  /// Whether one of its fields has the focus when the page opens.
  let takesFocus: Bool
  private let isRightToLeft: Bool

  /// A form that is not on a page.
  ///
  /// - Parameters:
  ///   - id: The id, unique in the document.
  ///   - action: The address it is posted to.
  ///   - token: The anti-forgery token.
  ///   - fields: The fields, including hidden ones.
  ///   - button: The words of the button.
  ///   - weight: How much the button stands out.
  ///   - wrong: What is wrong with fields, by name.
  ///   - describedBy: The id of the element that distinguishes its button from others with the same
  ///     words; the element with `-seen` appended says more.
  package init(
    _ id: String,
    action: String,
    token: String,
    fields: [FormField],
    button: String,
    weight: Form.Weight,
    wrong: [String: [String]] = [:],
    describedBy: String? = nil
  ) {
    self.id = id
    self.action = action
    self.token = .text(token)
    self.fields = fields.map { FieldView($0, in: id, wrong: wrong[$0.field.name] ?? []) }
    self.button = button
    isRightToLeft = false
    self.weight = weight
    emphasis = weight
    purpose = nil
    wait = nil
    face = nil
    takesFocus = false
    self.describedBy = describedBy
  }

  /// One form of a page.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - presentation: The page it is on.
  ///   - takesFocus: Whether its first field has the focus when the page opens.
  init(_ form: Form, in presentation: Presentation, takesFocus: Bool) {
    let first = takesFocus ? form.firstToFill?.field : nil
    id = form.name
    action = form.action.path
    token = .stamp(.formToken(form.action))
    self.takesFocus = first != nil
    fields = form.fields.map { field in
      FieldView(field, in: form.name, on: presentation, takesFocus: field.field == first)
    }
    button = presentation.wording.text(form.button)
    isRightToLeft = presentation.wording.isRightToLeft
    weight = form.weight
    emphasis = Self.emphasis(of: form, in: presentation)
    purpose = form.purpose
    wait = form.availableAt.map { [button] in
      Wait(for: button, until: $0, in: presentation.wording)
    }
    face = form.face.map { Face(face: $0, isRightToLeft: presentation.wording.isRightToLeft) }
    let entries = presentation.content.sessions?.entries ?? []
    describedBy = entries.contains { $0.formName == form.name } ? "\(form.name)-device" : nil
  }

  package static func word(for name: Name) -> Word<FormView> {
    switch name {
    case .id: .text { $0.id }
    case .action: .text { $0.action }
    case .token: .value { $0.token }
    case .hidden: .each { $0.fields.filter { $0.field.kind == .hidden } }
    case .helpers: .each { $0.fields.filter { $0.field.kind == .usernameHelper } }
    case .fields: .each { $0.fields.filter(\.field.isVisible) }
    case .button: .text { $0.button }
    case .weight: .text { $0.weight.rawValue }
    case .emphasis: .text { $0.emphasis.rawValue }
    case .purpose: .text { $0.purpose }
    case .wait: .view { $0.wait }
    case .face: .view { $0.face }
    case .describedBy: .text { $0.describedBy }
    }
  }

  /// If only another message helps, requesting one becomes the main action.
  private static func emphasis(of form: Form, in presentation: Presentation) -> Form.Weight {
    guard presentation.needsNewMessage,
      presentation.content.forms.contains(where: { $0.purpose == "resend" })
    else { return form.weight }
    if form.purpose == "resend" { return .primary }
    return form.weight == .primary ? .choice : form.weight
  }

  /// The icon and details beside the words of a button.
  struct Face: TemplateView {
    enum Name: String, CaseIterable { case icon, outline, detail, lastUsed, rightToLeft }

    let face: Form.Face
    let isRightToLeft: Bool

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .icon: .text { $0.face.icon.rawValue }
      case .outline: .text { $0.face.icon.outline }
      case .detail: .text { $0.face.detail }
      case .lastUsed: .flag { $0.face.isLastUsed }
      case .rightToLeft: .flag { $0.isRightToLeft }
      }
    }
  }

  /// Whether it is a secondary form without a place of its own.
  var isBeside: Bool { weight == .quiet && !["resend", "restart", "sign-out"].contains(id) }

  /// From when on the form may be used.
  struct Wait: TemplateView {
    enum Name: String, CaseIterable { case timestamp, name, at }

    let timestamp: String
    /// The button's accessible name, of which only its words are visible.
    private let name: [NamePart]
    private let at: String

    init(for button: String, until date: Date, in wording: Wording) {
      timestamp = date.timestamp
      var values: Phrase.Values = [
        "button": .strong(button), "clock": .phrase(.moment(date, .clock)),
      ]
      if let times = wording.times {
        values = values.adding("hour", .count(times.hour(shortly: date)))
      }
      let name = wording.prose(.common(.resendAvailable, values))
      self.name = name.spans.map { span in
        NamePart(words: span.words, isSeen: span == .strong(button))
      }
      at = wording.text(.moment(date, .at))
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .timestamp: .text { $0.timestamp }
      case .name: .each { $0.name }
      case .at: .text { $0.at }
      }
    }
  }

  /// A part of what a button is called.
  struct NamePart: TemplateView {
    enum Name: String, CaseIterable { case seen, unseen }

    let words: String
    let isSeen: Bool

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .seen: .text { $0.isSeen ? $0.words : nil }
      case .unseen: .text { $0.isSeen ? nil : $0.words }
      }
    }
  }
}
