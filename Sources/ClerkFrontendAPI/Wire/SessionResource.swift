internal import AuthAPIClient
internal import Foundation

/// A session on the wire.
///
/// Source: <doc:ClerkSessionsAndTasks#The-session-resource>.
struct SessionResource: Decodable, Hashable, Sendable {
  enum Status: String, Sendable {
    case active, pending, ended, removed, revoked, expired, abandoned, replaced
  }

  struct PublicUser: Decodable, Hashable, Sendable {
    let userID: String?
    let firstName: String?
    let lastName: String?
    let identifier: String?
    let username: String?

    private enum Key: String, CodingKey {
      case identifier, username
      case userID = "user_id"
      case firstName = "first_name"
      case lastName = "last_name"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      userID = container.text(at: .userID)
      firstName = container.text(at: .firstName)
      lastName = container.text(at: .lastName)
      identifier = container.text(at: .identifier)
      username = container.text(at: .username)
    }
  }

  /// The browser in which it is used; only lists of sessions have it.
  struct Activity: Decodable, Hashable, Sendable {
    let browserName: String?
    let deviceType: String?
    let ipAddress: String?

    private enum Key: String, CodingKey {
      case browserName = "browser_name"
      case deviceType = "device_type"
      case ipAddress = "ip_address"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      browserName = container.text(at: .browserName)
      deviceType = container.text(at: .deviceType)
      ipAddress = container.text(at: .ipAddress)
    }
  }

  let id: String
  let status: Word<Status>
  let expiresAt: Date?
  let lastActiveAt: Date?
  let latestActivity: Activity?
  /// The keys of the open tasks, in order.
  let taskKeys: [String]
  let organizationID: String?
  let publicUser: PublicUser?
  let user: UserResource?

  private enum Key: String, CodingKey {
    case id, status, tasks, user
    case expiresAt = "expire_at"
    case lastActiveAt = "last_active_at"
    case latestActivity = "latest_activity"
    case organizationID = "last_active_organization_id"
    case publicUser = "public_user_data"
  }

  private struct Task: Decodable {
    let key: String
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    status = try container.decode(Word<Status>.self, forKey: .status)
    expiresAt = container.time(at: .expiresAt)
    lastActiveAt = container.time(at: .lastActiveAt)
    latestActivity = container.adornment(Activity.self, at: .latestActivity)
    taskKeys = try container.elements(Task.self, at: .tasks).map(\.key)
    organizationID = container.text(at: .organizationID)
    publicUser = container.adornment(PublicUser.self, at: .publicUser)
    user = container.adornment(UserResource.self, at: .user)
  }
}
