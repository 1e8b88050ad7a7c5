import ArgumentParser

/// What `serve` can be told, and `check` with it.
struct ServeOptions: ParsableArguments {
  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
}

/// What `emulate` can be told.
struct EmulateOptions: ParsableArguments {
  @Option(help: "Which auth API: clerk or entra. (default: clerk)") var api: String?
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
}

/// What `atlas` can be told.
struct AtlasOptions: ParsableArguments {
  @Option(help: "The folder to write to; it is made where it does not exist.")
  var out: String?
  @OptionGroup(title: "Files") var files: FileOptions
}

/// Where the pages' files are.
struct FileOptions: ParsableArguments {
  @Option(help: "The folder of templates. (default: beside the program, then here)")
  var templates: String?
  @Option(help: "The folder of static files. (default: beside the program, then here)")
  var `public`: String?
}

struct AuthAPIOptions: ParsableArguments {
  @Option(help: "Which auth API the flows speak: clerk or entra. (default: clerk)")
  var api: String?
  @Option(help: "A real Clerk instance; its host is read from the key.")
  var publishableKey: String?
  @Option(
    name: .customLong("frontend-api-url"),
    help: "A Clerk Frontend API at this address (overrides the key's)."
  )
  var frontendAPIURL: String?
  @Option(help: "A real Entra External ID tenant: https://HOST/TENANT.")
  var authority: String?
  @Option(
    name: .customLong("client-id"),
    help: "The app that is registered in that tenant, for native authentication."
  )
  var clientID: String?
  @Option(help: "What a sign-in asks Entra for, separated by blanks.")
  var scopes: String?
  @Option(help: "An HTTP proxy on the way to a real auth API: http://HOST:PORT.")
  var upstreamProxy: String?
}

struct PlaceOptions: ParsableArguments {
  @Option(help: "The address to listen on. (default: 127.0.0.1)")
  var host: String?
  @Option(help: "The port; 0 takes a free one. (default: 8080; emulate: 4010)")
  var port: String?
  @Flag(help: "Let the emulated API, or plain http, be reached from other machines.")
  var allowNonLoopback = false
  @Option(help: "A further host name to answer to; repeatable.")
  var allowHost: [String] = []
  @Option(
    name: .customLong("public-url"),
    help: "The address that people type. (default: http://HOST:PORT)"
  )
  var publicURL: String?
  @Option(help: "A proxy in front, whose X-Forwarded-For and -Proto are believed; repeatable.")
  var trustedProxy: [String] = []
  @Option(help: "Serve HTTPS with this certificate (PEM).")
  var tlsCertificate: String?
  @Option(help: "The certificate's key (PEM).")
  var tlsKey: String?
}

struct EmulatorOptions: ParsableArguments {
  @Option(help: "The folder of the emulator's database and the sealing key. (default: .vestibule)")
  var data: String?
  @Flag(help: "Write nothing to disk.")
  var inMemory = false
  @Option(help: "The emulator's settings, as a JSON file.")
  var instance: String?
  @Option(help: "The demo users that a fresh world starts with, as a JSON file.")
  var users: String?
}

struct PageOptions: ParsableArguments {
  @Option(help: "Also serve the emulated API over HTTP on this port; 0 takes a free one.")
  var emulatorPort: String?
  @Option(
    name: .customLong("emulator-public-url"),
    help: "The address by which clients reach that port. (default: http://127.0.0.1:PORT)"
  )
  var emulatorPublicURL: String?
  @OptionGroup(title: "Files") var files: FileOptions
  @Flag(help: "Read templates again when they change.")
  var reloadTemplates = false
  @Option(help: "An origin outside to which a finished sign-in may lead; repeatable.")
  var allowRedirectOrigin: [String] = []
  @Option(help: "Limits of our own: on or off. (default: on if the API is not on loopback)")
  var throttle: String?
  @Option(help: "Our words for a known refusal: on, or off for the auth API's. (default: on)")
  var ownWords: String?
  @Option(help: "The language of the pages; they speak en. (default: from the browser)")
  var language: String?
  @Option(help: "Sealing keys, one per line: the first seals, all open.")
  var keyFile: String?
}

struct LogOptions: ParsableArguments {
  @Option(help: "trace, debug, info, notice, warning, error or critical. (default: info)")
  var logLevel: String?
  @Option(help: "text or json. (default: text)")
  var logFormat: String?
}
