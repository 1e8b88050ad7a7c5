internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes
internal import Site

/// Who answers for the pages.
///
/// Clerk.swift and Entra.swift say of each auth API all that the composition asks, which asks nowhere else which
/// one it is; what lists those that are emulated, as the atlas does, takes ``EmulatedAuthAPI/all``.
public enum AuthAPI: Sendable {
  /// The embedded emulator, in process; over HTTP as well where it has an address.
  case emulated(EmulatedAuthAPI, at: Configuration.Address? = nil)
  /// A real instance, or an emulator elsewhere.
  case remote(RemoteAuthAPI)

  public var isEmulated: Bool {
    switch self {
    case .emulated: true
    case .remote: false
    }
  }

  /// Whether it answers on this machine, so that nobody's limits are at stake.
  public var isOnLoopback: Bool {
    switch self {
    case .emulated: true
    case .remote(let api): api.origin.isLoopback
    }
  }
}

/// An auth API that is emulated in this process.
public struct EmulatedAuthAPI: Sendable {
  /// What pages and ready lines call it.
  let name: String
  /// What worlds are made for.
  let api: EmulatedAPI
  let emulator: @Sendable (Worlds, EmulatorPlace) -> any HTTPHandler
  /// By method and path; a segment in braces stands for any.
  let operations: [String]
  /// Whether a path leads to a page for people, rather than to a call.
  let isBrowserPage: @Sendable (Substring) -> Bool
  /// A refusal in its shape, by status, code and words, of a request as far as it could be read.
  let refusal: @Sendable (HTTPResponse.Status, _ code: String, String, Request?) -> Response
  let provider: @Sendable (EmulatedWorld) -> LinkedProvider
  /// Of an instance that is set up so.
  let survey: @Sendable (InstanceSettings) -> AuthAPISurvey

  /// What `--api` calls it.
  public var option: String { api.rawValue }

  /// Every one that is emulated here.
  public static let all = EmulatedAPI.allCases.map(\.composed)
}

extension EmulatedAPI {
  fileprivate var composed: EmulatedAuthAPI {
    switch self {
    case .clerk: .clerk
    case .entra: .entra
    }
  }
}

/// An auth API that is reached over a socket.
public struct RemoteAuthAPI: Sendable, CustomStringConvertible {
  /// What it is and where, for people.
  public let description: String
  let origin: BaseURL
  let provider: @Sendable (any HTTPTransport) -> LinkedProvider
  let survey: AuthAPISurvey
}

/// The provider of pages that are reached at those addresses.
typealias LinkedProvider = @Sendable (LinkAddresses) -> any AuthProvider

/// Where an emulator is served, and what it is told besides.
struct EmulatorPlace: Sendable {
  /// The URL under which it is reached by who names no host.
  var address = "http://127.0.0.1:4010"
  var hasOwnPort = false
  /// Where the pages are; nil where none are served beside it.
  var pagesOrigin: String?
  var origins = BrowserOrigins()
  var report = UnexpectedErrorReport.none
}

/// An emulated world, as the provider of its pages needs it.
struct EmulatedWorld: Sendable {
  let name: WorldName
  let worlds: Worlds
  let transport: any HTTPTransport

  /// The world is asked at each call: one that was dropped and made anew has a clock of its own.
  var clock: WallClock { WallClock { [worlds, name] in worlds.opened(name)?.clock.now ?? Date() } }
  var settings: InstanceSettings? { worlds.opened(name)?.settings }
  /// Where people are sent that need help.
  var supportAddress: String? { worlds.opened(name)?.application.supportAddress }
  /// Another number after each change of what the instance says of itself.
  var instanceRevision: Int? { worlds.opened(name)?.instanceRevision }
  var headerFields: HTTPFields { [.vestibuleWorld: name.text] }
}

extension WallClock {
  /// The machine's own.
  static var machine: WallClock { WallClock { Date() } }
}
