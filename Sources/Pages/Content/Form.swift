public import AuthFlow
public import Foundation

/// One form of one purpose (R7).
public struct Form: Hashable, Sendable {
  /// How much its button stands out.
  public enum Weight: String, Sendable {
    /// What the page is for.
    case primary
    /// One of several equal ways.
    case choice
    /// Something else that may be done.
    case quiet
  }

  /// The form's `id`.
  public var name: String
  /// Where it is posted to; its anti-forgery token is bound to this.
  public var action: Address
  public var fields: [FormField]
  /// The words on its button.
  public var button: Phrase
  public var weight: Weight
  /// What it does, for machines; nil for a main form.
  public var purpose: String?
  /// From when on it may be used; nil where that is now.
  public var availableAt: Date?
  /// For one of several ways: what stands beside the words on its button.
  public var face: Face?
  /// The field that the person has come to change, although it is filled in; nil where none is.
  public var changing: Field?

  /// What shows a way at a glance.
  public struct Face: Hashable, Sendable {
    public var icon: Icon
    /// A second line, such as where a code would go.
    public var detail: String?
    /// Whether this browser was signed in that way the last time.
    public var isLastUsed: Bool

    public init(_ icon: Icon, detail: String? = nil, isLastUsed: Bool = false) {
      self.icon = icon
      self.detail = detail
      self.isLastUsed = isLastUsed
    }
  }

  public init(
    _ name: String,
    action: Address,
    fields: [FormField] = [],
    button: Phrase,
    weight: Weight = .primary,
    purpose: String? = nil,
    availableAt: Date? = nil,
    face: Face? = nil,
    changing: Field? = nil
  ) {
    self.name = name
    self.action = action
    self.fields = fields
    self.button = button
    self.weight = weight
    self.purpose = purpose
    self.availableAt = availableAt?.roundedUpToSecond
    self.face = face
    self.changing = changing
  }

  /// Where one begins: what is to be changed, else the first field that waits, else the first seen (E7).
  ///
  /// One that may stay empty waits, too: whoever hears the page or goes by keys would begin behind it.
  var firstToFill: FormField? {
    let seen = fields.filter(\.isVisible)
    return seen.first { $0.field == changing } ?? seen.first(where: \.isWaiting) ?? seen.first
  }
}
