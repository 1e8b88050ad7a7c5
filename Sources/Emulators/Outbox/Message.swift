public import Foundation
internal import GRDB
internal import Localization

/// A mail or a text that the real service would have sent.
///
/// Source: <doc:EmulatedWorlds#The-outbox>.
public struct Message: Sendable, Hashable, Codable {
  public enum Channel: String, Sendable, Codable, CaseIterable {
    case email, sms
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

  /// Whether a world gives messages such ids, as `RandomSource` makes them.
  ///
  /// One of that id may be there, or gone. What is imported may be called anything.
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
  /// The tag of its words' language; nil where an older program wrote it.
  var language: String?
  var createdAt: EpochMilliseconds

  /// A message with its words.
  ///
  /// - Parameters:
  ///   - content: What it tells.
  ///   - purpose: What for.
  ///   - recipient: Where it goes, and whether it really would.
  ///   - id: Its name.
  ///   - catalogue: The words of its reader's language.
  ///   - application: What the application is called.
  ///   - now: When it is written.
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

  /// Nil for a row that another version of the program has written.
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
      // What was imported may be called anything.
      language: language.flatMap { LanguageTag($0)?.text },
      createdAt: createdAt.date
    )
  }
}
