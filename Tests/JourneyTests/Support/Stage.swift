import Emulators
import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Logging
import Testing
import Vestibule
import VestibuleTesting

/// Where a journey is played: the same steps, over everything from a call to three processes, and
/// over either auth API.
struct Stage: Hashable, Sendable, CustomTestStringConvertible {
  enum Place: String, CaseIterable, Sendable {
    /// Pages and emulator by call.
    case inProcess = "in process"
    /// Pages over a socket, the emulator embedded.
    case overSockets = "over sockets"
    /// Pages in one process, the emulator in another, sockets between all.
    case twoProcesses = "two processes"
  }

  /// The auth API behind the pages.
  enum API: String, CaseIterable, Sendable {
    case clerk, entra
  }

  var place: Place
  var api: API

  static let inProcess = Stage(place: .inProcess, api: .clerk)
  static let overSockets = Stage(place: .overSockets, api: .clerk)
  static let twoProcesses = Stage(place: .twoProcesses, api: .clerk)

  /// Every place, over Clerk's API.
  static let allCases = Place.allCases.map { Stage(place: $0, api: .clerk) }
  /// Every place, over Entra's API.
  static let entra = Place.allCases.map { Stage(place: $0, api: .entra) }
  /// Every place, over each API: for what both can express.
  static let both = allCases + entra

  /// Whether the pages follow the world's clock, not only the emulator.
  var pagesFollowTheClock: Bool { place != .twoProcesses }

  var testDescription: String {
    api == .clerk ? place.rawValue : "\(place.rawValue), Entra"
  }

  /// What either API calls the same thing.
  func either<Value>(_ clerk: Value, entra: Value) -> Value { api == .clerk ? clerk : entra }

  /// A code of the right length that was not sent, except by a chance of one in a million.
  var wrongCode: String { either("000000", entra: "00000000") }

  /// What a journey may ask of its world before it begins.
  struct Setting: Sendable {
    var instance: String?
    var users: String?

    static let plain = Setting()

    var isPlain: Bool { instance == nil && users == nil }
  }

  /// Plays a journey in a fresh world.
  func play(
    _ setting: Setting = .plain,
    _ journey: (Scene) async throws -> Void
  ) async throws {
    switch place {
    case .inProcess:
      let vestibule = try TestVestibule(setting.configuration(over: api), logger: silent)
      try await journey(
        Scene(
          stage: self,
          host: "localhost:8080",
          pages: vestibule.transport,
          emulator: vestibule.transport
        )
      )
    case .overSockets:
      var configuration = try setting.configuration(over: api)
      configuration.dataFolder = nil
      configuration.service = .pages(
        at: Configuration.Address(port: 0),
        over: configuration.authAPI
      )
      let running = try RunningVestibule.start(
        configuration,
        logger: silent
      )
      let pages = try HTTPClientTransport(
        to: try BaseURL(running.listeners[0].address),
        limits: .ofBrowsers
      )
      let result = await Result { [pages] in
        try await journey(Scene(stage: self, host: nil, pages: pages, emulator: pages))
      }
      await pages.shutdown()
      await running.stop(grace: .seconds(1))
      try result.get()
    case .twoProcesses:
      try await TwoProcesses.run(setting, over: api) { processes in
        let pages = try HTTPClientTransport(
          to: try BaseURL(processes.pagesAddress),
          limits: .ofBrowsers
        )
        let emulator = try HTTPClientTransport(to: BaseURL(processes.emulatorAddress))
        let result = await Result {
          try await journey(Scene(stage: self, host: nil, pages: pages, emulator: emulator))
        }
        await pages.shutdown()
        await emulator.shutdown()
        try result.get()
      }
    }
  }
}

extension Stage.Setting {
  func configuration(over api: Stage.API) throws -> Configuration {
    var configuration = Configuration()
    configuration.service = .pages(
      at: Configuration.Address(port: 8080),
      over: .emulated(api == .clerk ? .clerk : .entra)
    )
    if api == .clerk, let recorder = Recorder.shared {
      configuration.aroundEmulator = recorder.around
    }
    if let instance {
      configuration.instance = try InstanceSettings(json: Data(instance.utf8))
    }
    if let users { configuration.users = try AccountDescription.list(json: Data(users.utf8)) }
    return configuration
  }
}

/// What a journey has at hand.
struct Scene: Sendable {
  let stage: Stage
  let host: String?
  let pages: any HTTPTransport
  let emulator: any HTTPTransport

  init(
    stage: Stage,
    host: String?,
    pages: any HTTPTransport,
    emulator: any HTTPTransport
  ) {
    self.stage = stage
    self.host = host
    self.pages = recorded(pages)
    self.emulator = recorded(emulator, as: .emulator)
  }

  /// A browser that has never been here.
  func newBrowser() -> FormSession { FormSession(over: pages, host: host) }

  var backstage: TestBackstage { TestBackstage(over: emulator, host: host) }

  /// Makes the emulated API answer the next call of that path so, whatever its own answer.
  func rehearse(_ path: String, _ effect: String, method: String = "POST") async throws {
    _ = try await backstage.call(
      .post,
      "faults",
      json: #"{"match":{"method":"\#(method)","path":"\#(path)"},"times":1,\#(effect)}"#
    )
  }

  /// The same, with an answer of that status and document.
  func answer(
    _ path: String,
    _ status: Int,
    _ json: String,
    method: String = "POST"
  ) async throws {
    try await rehearse(path, #""answer":{"status":\#(status),"json":\#(json)}"#, method: method)
  }

  var pagesFollowTheClock: Bool { stage.pagesFollowTheClock }

  /// Whether a token that the moved clock dates is believed: with a clock of their own, the pages
  /// would refuse one from the future.
  var takesTokensOfLater: Bool { pagesFollowTheClock || stage.api == .clerk }
}

extension Result where Failure == any Error {
  init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

let password = "walk-right-in-42"

/// What goes wrong on purpose is not logged.
let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

extension FormSession {
  /// Opens the sign-in page and submits it.
  @discardableResult
  func signIn(_ identifier: String, _ typed: String = password) async throws -> PageSnapshot {
    try await open("/sign-in")
    return try await submit(["identifier": identifier, "password": typed])
  }

  /// Opens the reset page and submits it.
  @discardableResult
  func forgotPassword(_ identifier: String) async throws -> PageSnapshot {
    try await open("/forgot-password")
    return try await submit(["identifier": identifier])
  }

  /// Opens the sign-up page and submits it.
  @discardableResult
  func signUp(
    _ address: String,
    _ typed: String = "a-good-new-password-7"
  ) async throws -> PageSnapshot {
    try await open("/sign-up")
    return try await submit(["email_address": address, "password": typed])
  }

  /// Sets a new password, and asks once whether it is set if that takes a while.
  @discardableResult
  func setPassword(_ typed: String = "Quite-another-secret-9") async throws -> PageSnapshot {
    let page = try await submit(["password": typed])
    return page.page == "forgot-password-waiting" ? try await submit(form: "check") : page
  }

  /// Signs out by the form on the account page.
  @discardableResult
  func signOut() async throws -> PageSnapshot {
    try await open("/account")
    return try await submit(form: "sign-out")
  }
}

extension HTTPClientTransport.Limits {
  /// A browser waits as long as the program does; the eight seconds are those of its own calls.
  static var ofBrowsers: Self {
    var limits = Self()
    limits.totalDeadline = .seconds(60)
    return limits
  }
}
