internal import Foundation
internal import GRDB

/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  /// `PATCH /v1/me/metadata`: merged at every depth; a null removes its key.
  func updateMetadata() throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    let text = try form.required("unsafe_metadata")
    guard let patch = JSON(decoding: Array(text.utf8)), case .object = patch else {
      throw ClerkRefusal.invalidValue("unsafe_metadata")
    }
    let merged = account.unsafeMetadataJSON.merging(patch)
    if let problem = AccountMetadata.problem(in: merged) { throw ClerkRefusal(422, problem) }
    account.unsafeMetadata = String(decoding: merged.encoded, as: UTF8.self)
    account.updatedAt = now
    try account.update(db)
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }
}

enum AccountMetadata {
  static let limitBytes = 8 * 1024

  static func problem(in metadata: JSON) -> ClerkProblem? {
    guard metadata.encoded.count > limitBytes else { return nil }
    return ClerkProblem(
      "form_param_exceeds_allowed_size",
      "is too large",
      "unsafe_metadata may have \(limitBytes) bytes.",
      parameter: "unsafe_metadata"
    )
  }
}

extension JSON {
  /// This object with a patch merged into it (RFC 7396).
  fileprivate func merging(_ patch: JSON) -> JSON {
    guard case .object(let members) = patch else { return patch }
    var merged = self
    if case .object = merged {} else { merged = [:] }
    for member in members {
      if member.value == .null {
        merged.removeMember(member.name)
      } else {
        merged[member.name] = (merged[member.name] ?? .null).merging(member.value)
      }
    }
    return merged
  }

  /// A plain `nil` would be JSON's null here, and set the member instead of removing it.
  private mutating func removeMember(_ name: String) {
    self[name] = Optional<JSON>.none
  }
}
