import ArgumentParser
import Vestibule

struct VestibuleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vestibule",
    abstract: "The front door of sign-in, on localhost.",
    discussion: """
      Each option can also be set by an environment variable: VESTIBULE_ and the option's name in \
      capitals, dashes as underscores (VESTIBULE_PORT=8081). A flag is set to on or off \
      (VESTIBULE_IN_MEMORY=on), a repeatable option to values separated by commas \
      (VESTIBULE_ALLOW_HOST=a.example,b.example). An option overrides its variable.
      """,
    version: Version.description,
    subcommands: [
      ServeCommand.self, EmulateCommand.self, CheckCommand.self, AtlasCommand.self,
      RunCommand.self, EjectCommand.self, StoryCommand.self,
    ],
    defaultSubcommand: ServeCommand.self
  )
}

struct ServeCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the pages; with no option, over the emulated Clerk API."
  )

  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  func run() async throws {
    let environment = Environment.process()
    try await Program.run(LogSettings(logs, environment)) { () throws(StartFailure) in
      try ServeSettings(options, environment: environment).configuration()
    }
  }
}

struct EmulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulate",
    abstract: "Serve only the emulated auth API over HTTP, for other clients."
  )

  @Option(
    help: "Which auth API: \(AuthAPIName.listed). (default: clerk)",
    completion: .cases(AuthAPIName.self)
  )
  var api: String?
  @Option(
    help: "The brand that messages and browser pages show, as a JSON file.",
    completion: .file()
  )
  var brand: String?
  @Option(
    help: "A folder of templates; its messages replace the built-in words of emails and texts.",
    completion: .directory
  )
  var templates: String?
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  func run() async throws {
    let environment = Environment.process()
    try await Program.run(LogSettings(logs, environment)) { () throws(StartFailure) in
      try EmulateSettings(self, environment: environment).configuration()
    }
  }
}

struct RunCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Serve on free ports, in memory, for as long as a command runs.",
    discussion: """
      VESTIBULE_URL tells the command the address of the pages, and VESTIBULE_EMULATOR_URL that of \
      the emulated API, if there is one. Exits with the command's exit code. Ports and --data may \
      be given as for serve; VESTIBULE_DATA is ignored, so that no test touches the data of a \
      service.
      """
  )

  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
  var command: [String] = []

  func run() async throws {
    let environment = Environment.process()
    try await Program.run(command, LogSettings(logs, environment)) { () throws(StartFailure) in
      try ServeSettings(options, environment: environment, defaults: .transient).configuration()
    }
  }
}

struct CheckCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read the configuration, ask the auth API what it offers, and print both.",
    discussion: """
      With --templates, every page is rendered in every state, and each broken rule is a line. \
      A port that is taken is only noted. Exits with 0 if all is well, 1 if there is an error to \
      correct, also in templates or words with which a start ends with 78, 69 if the API is out of \
      reach, 78 if a start would be refused for anything else.
      """
  )

  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  func run() async throws {
    let environment = Environment.process()
    let logs = LogSettings(logs, environment)
    try await Program.check(logs) { () throws(StartFailure) in
      // Read the log settings too: this command is there to find a bad one.
      _ = try logs.logger()
      return try ServeSettings(options, environment: environment).configuration()
    }
  }
}

struct AtlasCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atlas",
    abstract: "Write every page in every state as static HTML, with an index."
  )

  @OptionGroup var options: AtlasOptions

  func run() async throws {
    let environment = Environment.process()
    try Program.draw { () throws(StartFailure) in
      try AtlasOrder(options, environment: environment)
    }
  }
}

struct EjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eject",
    abstract: "Write the built-in templates, messages and static files, to start one's own from.",
    discussion: "Exits with 1, and writes nothing, if a file exists and differs."
  )

  @OptionGroup var options: EjectOptions

  func run() async throws {
    let environment = Environment.process()
    try Program.eject { () throws(StartFailure) in
      try EjectOrder(options, environment: environment)
    }
  }
}
