internal import Emulators
internal import Foundation
internal import Vestibule

extension Configuration {
  /// The same with settings and accounts as if they had been read from files: what a file may not say,
  /// Swift may not either, and addresses are in their normal form.
  ///
  /// - Throws: `StartFailure` that names the key, and of accounts the place.
  func withCheckedDocuments() throws(StartFailure) -> Self {
    var configuration = self
    do throws(DocumentError) {
      configuration.instance = try InstanceSettings().merging(instance.json)
    } catch {
      throw StartFailure(.configuration, "The instance settings are not good: \(error)")
    }
    guard let users else { return configuration }
    do throws(DocumentError) {
      let document = JSON.array(users.map(\.wholeDocument)).encoded
      configuration.users = try AccountDescription.list(json: Data(document))
    } catch {
      throw StartFailure(.configuration, "The users are not good: \(error)")
    }
    return configuration
  }
}

extension AccountDescription {
  /// Every key with its value, and the password, which is not told otherwise.
  fileprivate var wholeDocument: JSON {
    var document = json
    if let password { document["password"] = .string(password) }
    return document
  }
}
