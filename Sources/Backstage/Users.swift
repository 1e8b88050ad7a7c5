internal import Emulators
internal import Foundation
internal import HTTPExchange

extension BackstageDesk {
  func users(_ call: BackstageCall) async throws -> Response {
    try call.allowOnly(["identifier"])
    let users = try await world.accounts(identifier: call.contact("identifier"))
    return .json(.array(users.map(\.json)))
  }

  func addUser(_ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    let user = try readingDocument { () throws(DocumentError) in
      try AccountDescription(json: body)
    }
    do {
      return .json(try await world.add(user).json)
    } catch AccountRefusal.taken {
      throw BackstageRefusal.invalid("An identifier belongs to another account.")
    }
  }

  func user(_ id: String) async throws -> Response {
    guard let user = try await world.account(id) else { throw BackstageRefusal.notFound }
    return .json(user.json)
  }

  func changeUser(_ id: String, _ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    guard let user = try await world.account(id) else { throw BackstageRefusal.notFound }
    let changed = try readingDocument { () throws(DocumentError) in try user.merging(body) }
    guard changed.id == id else { throw BackstageRefusal.invalid("'id' cannot be changed.") }
    let changesPassword = body["password"] != nil
    do {
      let replaced = try await world.replace(changed, changingPassword: changesPassword)
      guard let replaced else { throw BackstageRefusal.notFound }
      return .json(replaced.json)
    } catch AccountRefusal.taken {
      throw BackstageRefusal.invalid("An identifier belongs to another account.")
    }
  }

  func deleteUser(_ id: String) async throws -> Response {
    guard try await world.remove(id) else { throw BackstageRefusal.notFound }
    return .noContent
  }

  func authenticatorCode(of id: String) async throws -> Response {
    guard let reading = try await world.authenticatorReading(of: id) else {
      throw BackstageRefusal(404, "no_authenticator", "There is no such account or app.")
    }
    return .json([
      "code": .string(reading.code),
      "valid_until": .string(Timestamp.text(reading.validUntil)),
    ])
  }

  func changeSettings(_ call: BackstageCall) throws -> Response {
    let body = try call.requiredBody()
    let settings = try readingDocument { () throws(DocumentError) in
      try world.settings.merging(body)
    }
    world.settings = settings
    return .json(settings.json)
  }

  func dropWorld(_ text: String) throws -> Response {
    guard let name = WorldName(text) else { throw BackstageRefusal.notFound }
    guard worlds.drop(name) else { throw BackstageRefusal.notFound }
    return .noContent
  }

  private func readingDocument<Value>(
    _ read: () throws(DocumentError) -> Value
  ) throws(BackstageRefusal) -> Value {
    do {
      return try read()
    } catch {
      throw .invalid(error.description)
    }
  }
}
