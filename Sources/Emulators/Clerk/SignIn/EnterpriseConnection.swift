internal import Foundation

/// The organization that an account signs in with.
struct EnterpriseConnection: Sendable, Hashable {
  var name: String

  /// The connection of an email address's domain.
  init(of address: String) {
    name = address.split(separator: "@").last.map(String.init) ?? address
  }

  var id: String {
    let digest = Data(sha256Of: "connection:\(name)")
    return "entconn_" + digest.prefix(13).map { String($0, radix: 36) }.joined()
  }
}
