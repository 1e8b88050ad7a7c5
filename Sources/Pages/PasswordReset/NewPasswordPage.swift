public import AuthFlow
public import Foundation

/// `/forgot-password/new` and `/tasks/reset-password`: the new password.
///
/// Rules: P-newpassword.
public struct NewPasswordPage: Page {
  public enum Variant: Sendable {
    /// After the code of a reset.
    case reset
    /// Before the session counts as signed in.
    case task
  }

  private let variant: Variant
  private let identifier: String
  private let rules: PasswordRules
  private let signsOutOfOtherSessions: Bool?
  private let endsAt: Date?

  /// Asks for a new password.
  ///
  /// - Parameters:
  ///   - variant: Why it is asked for.
  ///   - identifier: Whose password it is, for password managers.
  ///   - rules: The rules it has to keep.
  ///   - signsOutOfOtherSessions: Whether the box that ends all other sessions is ticked; nil for
  ///     no such box, for example if the auth API ends none.
  ///   - endsAt: When the attempt, or the session whose task it is, ends; nil if unknown.
  public init(
    variant: Variant,
    identifier: String,
    rules: PasswordRules,
    signsOutOfOtherSessions: Bool? = nil,
    endsAt: Date? = nil
  ) {
    self.variant = variant
    self.identifier = identifier
    self.rules = rules
    self.signsOutOfOtherSessions = signsOutOfOtherSessions
    self.endsAt = endsAt
  }

  public var address: Address? { place }
  public var step: String { "new-password" }
  public var flow: FlowName? {
    switch variant {
    case .reset: .passwordReset
    case .task: .task
    }
  }
  public var fields: [Field] {
    signsOutOfOtherSessions == nil ? [.password] : [.password, .signOutOfOtherSessions]
  }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.newPasswordHeading),
      identity: identifier,
      lead: lead,
      forms: [
        Form(
          place.lastPart,
          action: place,
          fields: [
            .usernameHelper(identifier), .newPassword(rules, label: .field(.fieldLabelNewPassword)),
            box,
          ].compactMap(\.self),
          button: .page(.newPasswordSet)
        ),
        beside,
      ],
      endsAt: endsAt,
      setting: Setting(identifier: identifier, resetsPassword: true)
    )
  }

  private var place: Address {
    switch variant {
    case .reset: .newPassword
    case .task: .resetPasswordTask
    }
  }

  private var lead: [Phrase] {
    switch variant {
    case .reset: []
    case .task: [.page(.newPasswordLead)]
    }
  }

  private var box: FormField? {
    signsOutOfOtherSessions.map { isChecked in
      FormField(
        .signOutOfOtherSessions,
        kind: .checkbox,
        label: .field(.fieldLabelSignOutEverywhere),
        isRequired: false,
        value: "true",
        isChecked: isChecked
      )
    }
  }

  private var beside: Form {
    switch variant {
    case .reset: .restart(.passwordReset)
    case .task: .signOut(weight: .quiet)
    }
  }
}
