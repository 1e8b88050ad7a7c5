import ArgumentParser
import Logging
import Vestibule

/// The options of `serve`, which other commands take too.
struct ServeOptions {
  var api: AuthAPIOptions
  var place: PlaceOptions
  var emulator: EmulatorOptions
  var pages: PageOptions
  var logs: LogOptions
}

/// A command that takes all options of `serve`.
///
/// Each declares the groups itself. A single group of them all would be shorter, but with nested groups a debug
/// build checks the options several times as often, at every start.
protocol ServingCommand: AsyncParsableCommand {
  var api: AuthAPIOptions { get }
  var place: PlaceOptions { get }
  var emulator: EmulatorOptions { get }
  var pages: PageOptions { get }
  var logs: LogOptions { get }
}

extension ServingCommand {
  var options: ServeOptions {
    ServeOptions(api: api, place: place, emulator: emulator, pages: pages, logs: logs)
  }
}

extension CompletionKind {
  /// The words that an option takes.
  static func cases<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Self {
    .list(type.allCases.map(\.rawValue))
  }

  static var onOrOff: Self { .list(["on", "off"]) }
}

private let destinationHelp: ArgumentHelp =
  "The folder to write to (required); it is created if it does not exist."

/// The options of `atlas`.
struct AtlasOptions: ParsableArguments {
  @Option(help: destinationHelp, completion: .directory)
  var out: String?
  @OptionGroup(title: "Files") var files: FileOptions
  @Option(
    help: "The brand that the pages show, as a JSON file. (default: built in)",
    completion: .file()
  )
  var brand: String?
  @Option(help: "The language of the pages, such as de. (default: en)")
  var language: String?
}

/// The options of `eject`.
struct EjectOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Paths of files or folders, or names of pages. (default: all files)",
      valueName: "name"
    ),
    // Computed only for completion: they are many, and come from the built-in files.
    completion: .custom { _, _, _ in Ejection.names }
  )
  var names: [String] = []
  @Option(help: destinationHelp, completion: .directory)
  var out: String?
  @Flag(help: "Replace existing files that differ.")
  var force = false
}

/// Where the pages' files are.
struct FileOptions: ParsableArguments {
  @Option(
    help: "A folder of templates that replace the built-in ones, file by file.",
    completion: .directory
  )
  var templates: String?
  @Option(
    help: "A folder of static files that replace the built-in ones, file by file.",
    completion: .directory
  )
  var `public`: String?
}

struct PlaceOptions: ParsableArguments {
  @Option(help: "The address to listen on. (default: 127.0.0.1)")
  var host: String?
  @Option(help: "The port; 0 takes a free one. (default: 8080; emulate: 4010; run: a free one)")
  var port: String?
  @Flag(help: "Let the emulated API, or plain http, be reached from other machines.")
  var allowNonLoopback = false
  @Option(help: "An additional host name to answer to; repeatable.")
  var allowHost: [String] = []
  @Option(
    name: .customLong("public-url"),
    help: "The address that people type. (default: the one it listens on)"
  )
  var publicURL: String?
  @Option(
    help: "Numeric address of a proxy whose X-Forwarded-For and -Proto are trusted; repeatable."
  )
  var trustedProxy: [String] = []
  @Option(help: "Serve metrics for Prometheus on this port, at /metrics; 0 takes a free one.")
  var metricsPort: String?
  @Option(help: "Serve HTTPS with this certificate (PEM).", completion: .file())
  var tlsCertificate: String?
  @Option(help: "The certificate's key (PEM).", completion: .file())
  var tlsKey: String?
}

struct EmulatorOptions: ParsableArguments {
  @Option(
    help: "The folder of the database and the sealing key. (default: .vestibule; run: none)",
    completion: .directory
  )
  var data: String?
  @Flag(help: "Write nothing to disk.")
  var inMemory = false
  @Option(help: "The emulator's settings, as a JSON file.", completion: .file())
  var instance: String?
  @Option(
    help: "The demo users that a fresh world starts with, as a JSON file.",
    completion: .file()
  )
  var users: String?
}

struct PageOptions: ParsableArguments {
  @Option(help: "Also serve the emulated API over HTTP on this port; 0 takes a free one.")
  var emulatorPort: String?
  @Option(
    name: .customLong("emulator-public-url"),
    help: "The address at which clients reach that port. (default: http://HOST:PORT)"
  )
  var emulatorPublicURL: String?
  @OptionGroup(title: "Files") var files: FileOptions
  @Option(
    help: "Name, logo, colours and addresses, as a JSON file. (default: built in)",
    completion: .file()
  )
  var brand: String?
  @Flag(help: "Reload templates, messages, static files and the brand when they change.")
  var reloadTemplates = false
  @Option(help: "An outside origin that a sign-in or a sign-out may redirect to; repeatable.")
  var allowRedirectOrigin: [String] = []
  @Option(
    help: "Our own rate limits: on or off. (default: on if the API is not on loopback)",
    completion: .onOrOff
  )
  var throttle: String?
  @Option(
    help: "Our own message for a known error: on, or off for the auth API's. (default: on)",
    completion: .onOrOff
  )
  var ownWords: String?
  @Option(
    help: "The language of the pages, such as de. (default: from the browser, or as chosen there)"
  )
  var language: String?
  @Option(help: "Sealing keys, one per line: the first seals, all open.", completion: .file())
  var keyFile: String?
}

struct LogOptions: ParsableArguments {
  @Option(
    help: "trace, debug, info, notice, warning, error or critical. (default: info)",
    completion: .cases(Logger.Level.self)
  )
  var logLevel: String?
  @Option(help: "text or json. (default: text)", completion: .cases(LineLogHandler.Format.self))
  var logFormat: String?
}
