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
  /// The address it is posted to; its anti-forgery token is bound to this.
  public var action: Address
  public var fields: [FormField]
  /// The words on its button.
  public var button: Phrase
  public var weight: Weight
  /// Its purpose in machine-readable form; nil for a main form.
  public var purpose: String?
  /// When it may first be used; nil for at once.
  public var availableAt: Date?
  /// The icon and details on the button of an alternative.
  public var face: Face?
  /// The field that the person came to change, although it has a value; nil if there is none.
  public var changing: Field?

  /// The icon and details by which an alternative is recognised at a glance.
  public struct Face: Hashable, Sendable {
    public var icon: Icon
    /// A second line, such as where a code would go.
    public var detail: String?
    /// Whether the last sign-in in this browser used it.
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

  /// The field to begin with: the one to change, else the first empty one, else the first visible
  /// one (E7).
  ///
  /// Optional empty fields count, since keyboard and screen-reader users would otherwise start
  /// after them.
  var firstToFill: FormField? {
    let seen = fields.filter(\.isVisible)
    return seen.first { $0.field == changing } ?? seen.first(where: \.isWaiting) ?? seen.first
  }
}
