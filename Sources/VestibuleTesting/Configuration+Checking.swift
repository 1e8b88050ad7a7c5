internal import Emulators
internal import Foundation
internal import Vestibule

extension Configuration {
  /// Returns the configuration with settings and accounts checked and normalised as if they had
  /// been read from files, so that Swift cannot set what a file may not.
  ///
  /// - Throws: `StartFailure` that names the key, and for accounts the place.
  func withCheckedDocuments() throws(StartFailure) -> Self {
    var configuration = self
    do throws(DocumentError) {
      configuration.instance = try InstanceSettings().merging(instance.json)
    } catch {
      throw StartFailure(.configuration, "The instance settings are invalid: \(error)")
    }
    guard let users else { return configuration }
    do throws(DocumentError) {
      let document = JSON.array(users.map(\.wholeDocument)).encoded
      configuration.users = try AccountDescription.list(json: Data(document))
    } catch {
      throw StartFailure(.configuration, "The users are invalid: \(error)")
    }
    return configuration
  }
}

extension AccountDescription {
  /// Every key with its value, including the password, which `json` leaves out.
  fileprivate var wholeDocument: JSON {
    var document = json
    if let password { document["password"] = .string(password) }
    return document
  }
}
