public import Foundation
internal import GRDB
internal import Localization

/// An email or text message that the real service would have sent.
///
/// Source: <doc:EmulatedWorlds#The-outbox>.
public struct Message: Sendable, Hashable, Codable {
  public enum Channel: String, Sendable, Codable, CaseIterable {
    case email, sms

    /// The channel that reaches a contact: an email address has an `@`, a phone number has none.
    public init(reaching contact: String) {
      self = contact.contains("@") ? .email : .sms
    }
  }

  public enum Purpose: String, Sendable, Codable, CaseIterable {
    case signIn = "sign_in"
    case secondFactor = "second_factor"
    case clientTrust = "client_trust"
    case signUp = "sign_up"
    case resetPassword = "reset_password"
    case phoneNumber = "phone_number"
    case invitation
  }

  public var id: String
  public var to: String
  public var channel: Channel
  /// False for test contacts, to which nothing would be sent.
  public var sent: Bool
  public var purpose: Purpose
  public var code: String?
  public var link: String?
  public var subject: String?
  public var text: String
  /// The tag of the language that subject and text are in; nil where it is not known.
  public var language: String?
  /// By the world's clock.
  public var createdAt: Date

  /// Whether a text has the form of the ids that `RandomSource` makes for messages.
  ///
  /// A message with that id need not exist. Imported messages may have other ids.
  public static func isID(_ text: String) -> Bool {
    text.wholeMatch(of: /msg_[0-9A-Za-z]{27}/) != nil
  }
}

/// Where a message goes.
struct MessageRecipient: Sendable, Hashable {
  var channel: Message.Channel
  var address: String
  /// False for test contacts, to which nothing would be sent.
  var isReal = true

  static func email(_ address: String) -> Self { Self(channel: .email, address: address) }
}

/// A message as it is stored.
struct MessageRecord: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "message"

  /// Ascending in the order of sending.
  var sequence: Int64?
  var id: String
  var to: String
  var channel: String
  var sent: Bool
  var purpose: String
  var code: String?
  var link: String?
  var subject: String?
  var text: String
  /// The tag of its language; nil if an older program wrote the row.
  var language: String?
  var createdAt: EpochMilliseconds

  /// Words the content and makes a message of it.
  ///
  /// - Parameters:
  ///   - content: What the message says.
  ///   - purpose: What it is for.
  ///   - recipient: Where it goes, and whether it would really be sent.
  ///   - id: Its id.
  ///   - catalogue: The words of the reader's language.
  ///   - application: The name of the application.
  ///   - now: The time of writing.
  init(
    _ content: MessageContent,
    for purpose: Message.Purpose,
    to recipient: MessageRecipient,
    id: String,
    in catalogue: Catalogue<MessagePhrase>,
    from application: String,
    at now: EpochMilliseconds
  ) {
    let words = catalogue.words(of: content, in: application)
    self.id = id
    to = recipient.address
    channel = recipient.channel.rawValue
    sent = recipient.isReal
    self.purpose = purpose.rawValue
    code = content.code
    link = content.link
    subject =
      switch recipient.channel {
      case .email: words.subject
      case .sms: nil
      }
    text = words.text
    language = catalogue.language.text
    createdAt = now
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { sequence = inserted.rowID }

  /// The message; nil if this version of the program does not know its channel or purpose.
  var message: Message? {
    guard let channel = Message.Channel(rawValue: channel),
      let purpose = Message.Purpose(rawValue: purpose)
    else { return nil }
    return Message(
      id: id,
      to: to,
      channel: channel,
      sent: sent,
      purpose: purpose,
      code: code,
      link: link,
      subject: subject,
      text: text,
      // An imported row may have any text here.
      language: language.flatMap { LanguageTag($0)?.text },
      createdAt: createdAt.date
    )
  }
}
