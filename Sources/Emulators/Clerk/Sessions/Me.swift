internal import GRDB

/// Source: clerk-frontend-api.md section 3.10.
extension ClerkTransaction {
  /// `GET /v1/me`.
  func readUser() throws -> ClerkReply {
    let (_, account) = try signedIn()
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }

  /// `PATCH /v1/me`, as far as names go.
  func updateUser() throws -> ClerkReply {
    if form.names.contains("password") {
      throw ClerkRefusal.badRequest(
        "updating_user_password_deprecated",
        "Use change_password.",
        status: 403
      )
    }
    if let name = form.names.first(where: Self.laterFields.contains) {
      throw ClerkRefusal.notImplemented("Changing \(name)")
    }
    try form.allowOnly(["first_name", "last_name"])
    var (_, account) = try signedIn()
    if let name = try form.text("first_name") {
      account.firstName = try personName(name, "first_name")
    }
    if let name = try form.text("last_name") {
      account.lastName = try personName(name, "last_name")
    }
    account.updatedAt = now
    try account.update(db)
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }

  /// A name as it is kept; an empty one is none.
  func personName(_ text: String, _ parameter: String) throws(ClerkRefusal) -> String? {
    if let problem = PersonName.problem(in: text, parameter) { throw ClerkRefusal(422, problem) }
    return text.isEmpty ? nil : text
  }

  private static let laterFields: Set<String> = [
    "username", "primary_email_address_id", "primary_phone_number_id", "primary_web3_wallet_id",
  ]
}

enum PersonName {
  static let maximumLength = 256

  static func problem(in text: String, _ parameter: String) -> ClerkProblem? {
    if text.unicodeScalars.count > maximumLength {
      return ClerkProblem(
        "form_param_max_length_exceeded",
        "is too long",
        "\(parameter) must have at most \(maximumLength) characters.",
        parameter: parameter
      )
    }
    let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return hasControl ? .invalidValue(parameter) : nil
  }
}
