internal import AuthFlow
internal import Emulators
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes
internal import Site

/// The auth API behind the pages.
///
/// Clerk.swift and Entra.swift hold everything that the composition needs of each auth API; nothing else in it depends
/// on which one that is. Code that lists the emulated ones, such as the atlas, uses ``EmulatedAuthAPI/all``.
public enum AuthAPI: Sendable {
  /// The embedded emulator, in process; also over HTTP if it has an address.
  case emulated(EmulatedAuthAPI, at: Configuration.Address? = nil)
  /// A real instance, or an emulator elsewhere.
  case remote(RemoteAuthAPI)

  public var isEmulated: Bool {
    switch self {
    case .emulated: true
    case .remote: false
    }
  }

  /// Whether it runs on this machine, so that no other party's rate limits are at stake.
  public var isOnLoopback: Bool {
    switch self {
    case .emulated: true
    case .remote(let api): api.origin.isLoopback
    }
  }
}

/// An auth API that is emulated in this process.
public struct EmulatedAuthAPI: Sendable {
  /// Its name on pages and in ready lines.
  let name: String
  /// The API that worlds are made for.
  let api: EmulatedAPI
  let emulator: @Sendable (Worlds, EmulatorPlace) -> any HTTPHandler
  /// Its operations as method and path; a segment in braces matches any.
  let operations: [String]
  /// Whether a path is that of a page for people, rather than of a call.
  let isBrowserPage: @Sendable (Substring) -> Bool
  /// A refusal in the API's format, from status, code, words, and the request as far as it could be read.
  let refusal: @Sendable (HTTPResponse.Status, _ code: String, String, Request?) -> Response
  let provider: @Sendable (EmulatedWorld) -> LinkedProvider
  /// The survey of an instance with those settings.
  let survey: @Sendable (InstanceSettings) -> AuthAPISurvey

  /// Its name for `--api`.
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
  /// What it is and where it is, for people.
  public let description: String
  let origin: BaseURL
  let provider: @Sendable (any HTTPTransport) -> LinkedProvider
  let survey: AuthAPISurvey
}

/// Makes the provider for pages at those addresses.
typealias LinkedProvider = @Sendable (LinkAddresses) -> any AuthProvider

/// Where an emulator is served, and what else it is told.
struct EmulatorPlace: Sendable {
  /// The URL under which it is reached if a request names no host.
  var address = "http://127.0.0.1:4010"
  var hasOwnPort = false
  /// The origin of the pages; nil if none are served beside it.
  var pagesOrigin: String?
  var origins = BrowserOrigins()
  var report = UnexpectedErrorReport.none
}

/// An emulated world, as the provider of its pages needs it.
struct EmulatedWorld: Sendable {
  let name: WorldName
  let worlds: Worlds
  let transport: any HTTPTransport

  /// Looks the world up at each call: one that was dropped and made anew has a clock of its own.
  var clock: WallClock { WallClock { [worlds, name] in worlds.opened(name)?.clock.now ?? Date() } }
  var settings: InstanceSettings? { worlds.opened(name)?.settings }
  /// The address for people who need help.
  var supportAddress: String? { worlds.opened(name)?.application.supportAddress }
  /// Changes whenever the instance's description of itself does.
  var instanceRevision: Int? { worlds.opened(name)?.instanceRevision }
  var headerFields: HTTPFields { [.vestibuleWorld: name.text] }
}

extension WallClock {
  /// The machine's own.
  static var machine: WallClock { WallClock { Date() } }
}
