public import AuthFlow
public import Foundation

/// `/sign-in/password`: the password, where the identifier was asked first.
///
/// Rules: P-password.
public struct PasswordPage: Page {
  private let identifier: String
  private let offersOtherMethods: Bool
  private let offersPasswordReset: Bool
  private let endsAt: Date?

  /// Asks for the password.
  ///
  /// - Parameters:
  ///   - identifier: Whose password it is.
  ///   - offersOtherMethods: Whether another method can replace the password.
  ///   - offersPasswordReset: Whether a new password can be set.
  ///   - endsAt: When the attempt ends; nil if unknown.
  public init(
    identifier: String,
    offersOtherMethods: Bool,
    offersPasswordReset: Bool = true,
    endsAt: Date? = nil
  ) {
    self.identifier = identifier
    self.endsAt = endsAt
    self.offersPasswordReset = offersPasswordReset
    self.offersOtherMethods = offersOtherMethods
  }

  public var address: Address? { .password }
  public var step: String { "password" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [.password] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.passwordHeading),
      identity: identifier,
      forms: [
        Form(
          "password",
          action: .password,
          fields: [.usernameHelper(identifier), .currentPassword],
          button: .common(.actionSignIn)
        )
      ],
      links: [.change(at: Address.signIn.adding("identifier", identifier))]
        + (offersPasswordReset ? [.forgotPasswordBeside] : [])
        + (offersOtherMethods ? [.methods(at: .methods)] : []),
      endsAt: endsAt,
      setting: Setting(identifier: identifier, offersOtherMethods: offersOtherMethods)
    )
  }
}
