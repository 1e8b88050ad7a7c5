internal import Localization

/// A sentence of an email, a text message or the page of an emulated identity provider, by its key in
/// the files of messages.
enum MessagePhrase: String, CaseIterable, BitwiseCopyable, MessageKey {
  case codeSubject = "message.code.subject"
  case codeText = "message.code.text"
  case signInLinkSubject = "message.sign-in-link.subject"
  case signInLinkText = "message.sign-in-link.text"
  case verificationLinkSubject = "message.verification-link.subject"
  case verificationLinkText = "message.verification-link.text"
  case invitationSubject = "message.invitation.subject"
  case invitationText = "message.invitation.text"
  case organizationInvitationSubject = "message.organization-invitation.subject"
  case organizationInvitationText = "message.organization-invitation.text"

  case providerTitleInError = "message.provider.title.in-error"
  case providerOrganizationTitle = "message.provider.organization.title"
  case providerOrganizationLead = "message.provider.organization.lead"
  case providerMicrosoftTitle = "message.provider.microsoft.title"
  case providerKind = "message.provider.kind"
  case providerSignInAs = "message.provider.sign-in-as"
  case providerSignIn = "message.provider.sign-in"
  case providerUsername = "message.provider.username"
  case providerCancel = "message.provider.cancel"
  case providerContinue = "message.provider.continue"
  case providerReturning = "message.provider.returning"
  case providerNoAccount = "message.provider.no-account"
  case providerUnknown = "message.provider.unknown"
  case providerOver = "message.provider.over"
  case providerUnasked = "message.provider.unasked"
  case providerSignedOut = "message.provider.signed-out"
  case providerMalformed = "message.provider.malformed"

  static var allKeys: [MessagePhrase] { allCases }
  var name: String { rawValue }

  /// Whether a key belongs to the pages, whose words are in the same files.
  static func isForeign(_ name: String) -> Bool { !name.hasPrefix("message.") }
}
