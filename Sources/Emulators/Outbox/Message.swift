public import Foundation
internal import GRDB

/// A mail or a text that the real service would have sent.
///
/// Source: README, "Worlds and backstage".
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
  /// By the world's clock.
  public var createdAt: Date
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
  var createdAt: Instant

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
      createdAt: createdAt.date
    )
  }
}
