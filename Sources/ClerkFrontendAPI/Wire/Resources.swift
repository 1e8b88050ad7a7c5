internal import AuthAPIClient
internal import Foundation

/// The envelope of a success: the resource asked for and the whole client.
///
/// Source: <doc:ClerkTransport#Answers>. The client is optional here: if it is missing or
/// malformed, it can be asked for. `errors` that are null count as no errors.
struct Envelope<Resource: Decodable & Sendable>: Decodable, Sendable {
  let response: Resource?
  let client: ClientResource?

  private enum Key: String, CodingKey {
    case response, client, errors
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.contains(.response),
      try !container.contains(.errors) || container.decodeNil(forKey: .errors)
    else {
      throw DecodingError.keyNotFound(
        Key.response,
        DecodingError.Context(codingPath: [], debugDescription: "not the envelope of a success")
      )
    }
    response = try container.decodeIfPresent(Resource.self, forKey: .response)
    // If the client itself was asked for, both are the same.
    client = response as? ClientResource ?? container.adornment(ClientResource.self, at: .client)
  }
}

/// The client that this browser is to the API: its attempts and its sessions.
///
/// Source: <doc:ClerkClients#The-client-resource>.
struct ClientResource: Decodable, Hashable, Sendable {
  let signIn: SignInResource?
  let sessions: [SessionResource]
  /// Whether all sessions could be read; otherwise one that is missing here may still be active.
  let namesEverySession: Bool
  let lastActiveSessionID: String?
  /// The strategy of this client's last sign-in.
  let lastStrategy: String?

  private enum Key: String, CodingKey {
    case object, sessions
    case lastStrategy = "last_authentication_strategy"
    case signIn = "sign_in"
    case lastActiveSessionID = "last_active_session_id"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard try container.decode(String.self, forKey: .object) == "client" else {
      throw DecodingError.dataCorruptedError(
        forKey: .object,
        in: container,
        debugDescription: "not a client"
      )
    }
    signIn = container.adornment(SignInResource.self, at: .signIn)
    let listed = try container.decodeIfPresent([Lenient<SessionResource>].self, forKey: .sessions)
    sessions = listed?.compactMap(\.value) ?? []
    namesEverySession = sessions.count == listed?.count
    lastActiveSessionID = container.text(at: .lastActiveSessionID)
    lastStrategy = container.text(at: .lastStrategy)
  }
}

/// Any resource whose content does not matter.
struct AnyResource: Decodable, Sendable {
  init(from decoder: any Decoder) {}
}
