internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

extension BackstageContext {
  func users(_ call: BackstageCall) async throws -> Response {
    try call.refuseEmpty("identifier")
    let search = try accountSearch(of: call)
    if let identifier = call.contact("identifier") {
      guard search == nil else {
        throw BackstageRefusal.invalid("'identifier' names one account: leave 'search' out.")
      }
      let user = try await world.account(identifiedBy: identifier)
      return .json(.array([user].compactMap { $0?.json }))
    }
    let limit = try pageLimit(of: call)
    let after = call.filled("after")
    guard let page = try await world.accounts(matching: search, limit: limit, after: after) else {
      throw BackstageRefusal.invalid("'after' must be the ID of a user.")
    }
    var response = Response.json(.array(page.accounts.map(\.json)))
    if page.hasMore, let last = page.accounts.last?.id {
      var query: FormData = ["limit": "\(limit)", "after": last]
      if let typed = call.filled("search") { query.append("search", typed) }
      response.headerFields[.link] = "<\(query.address(at: "/backstage/api/users"))>; rel=\"next\""
    }
    return response
  }

  private func accountSearch(
    of call: BackstageCall
  ) throws(BackstageRefusal) -> AccountSearch? {
    guard let typed = call.query["search"] else { return nil }
    guard let search = AccountSearch(typed) else {
      throw .invalid("'search': \(AccountSearch.limits).")
    }
    guard !search.isEmpty else { throw .emptyParameter("search") }
    return search
  }

  private func pageLimit(of call: BackstageCall) throws(BackstageRefusal) -> Int {
    guard let text = call.filled("limit") else { return World.accountPageLimit }
    guard let limit = Int(text), (1...World.accountPageLimit).contains(limit) else {
      throw .invalid("'limit' must be 1 to \(World.accountPageLimit).")
    }
    return limit
  }

  func addUser(_ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    let user = try readingDocument { () throws(DocumentError) in
      try AccountDescription(json: body)
    }
    do {
      return .json(try await world.add(user).json)
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error)
    }
  }

  /// The same call with the account's own id, if it names the account by an object id, as Entra's
  /// tokens and the pages do, or by an address, number or username.
  func byAccountID(_ call: BackstageCall) async throws -> BackstageCall {
    guard call.path.first == "users", call.path.count > 1, !call.path[1].isEmpty,
      let id = try await accountID(named: call.path[1])
    else { return call }
    var call = call
    call.path[1] = id
    return call
  }

  /// An account with exactly that id takes precedence over one that signs in with it.
  private func accountID(named name: String) async throws -> String? {
    if worlds.api.tellsObjectIDs, let id = try await world.accountID(ofObject: name) { return id }
    if try await world.account(name) != nil { return name }
    return try await world.account(identifiedBy: BackstageCall.contact(typed: name))?.id
  }

  private static func noAccount(_ id: String) -> BackstageRefusal { .missing("account", id) }

  func user(_ id: String) async throws -> Response {
    guard let user = try await world.account(id) else { throw Self.noAccount(id) }
    return .json(user.json)
  }

  func changeUser(_ id: String, _ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    do {
      guard let user = try await world.change(id, body) else { throw Self.noAccount(id) }
      return .json(user.json)
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error)
    }
  }

  func deleteUser(_ id: String) async throws -> Response {
    guard try await world.remove(id) else { throw Self.noAccount(id) }
    return .noContent
  }

  func authenticatorCode(of id: String) async throws -> Response {
    guard let reading = try await world.authenticatorReading(of: id) else {
      let isMissing = try await world.account(id) == nil
      throw BackstageRefusal(
        .noAuthenticator,
        isMissing
          ? Self.noAccount(id).message
          : "The account '\(id.prefix(100))' does not have an authenticator app."
      )
    }
    return .json([
      "code": .string(reading.code),
      "valid_until": .string(Timestamp.text(reading.validUntil)),
    ])
  }

  /// Reads from a body, turning an error into a refusal of the member at fault.
  func readingDocument<Value>(
    _ read: () throws(DocumentError) -> Value
  ) throws(BackstageRefusal) -> Value {
    do {
      return try read()
    } catch {
      throw .invalid(error)
    }
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  fileprivate static let link = Self("Link")!
}

extension AccountSearch {
  /// How long a search may be.
  static var limits: String {
    "a search has at most \(wordLimit) words and \(lengthLimit) characters"
  }
}

extension EmulatedAPI {
  /// Whether its tokens, and so the pages, name accounts by a directory's object ids.
  fileprivate var tellsObjectIDs: Bool {
    switch self {
    case .clerk: false
    case .entra: true
    }
  }
}
