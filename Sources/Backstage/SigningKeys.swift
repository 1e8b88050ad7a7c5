internal import Emulators
internal import HTTPExchange

/// The call about the keys that sign tokens.
extension BackstageContext {
  /// `POST keys`.
  func rotateKeys(_ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    try body.refuseKeys(besides: ["rotate"])
    guard body["rotate"]?.bool == true else {
      throw BackstageRefusal.invalid("'rotate' must be true.")
    }
    let ids = try await worlds.rotateSigningKey()
    let keys = ids.map { id -> JSON in ["kid": .string(id), "signs": .bool(id == ids.first)] }
    return .json(["keys": .array(keys)])
  }
}
