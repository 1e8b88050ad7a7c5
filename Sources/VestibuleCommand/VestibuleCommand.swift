import ArgumentParser

@main
struct VestibuleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vestibule",
    abstract: "The front door of sign-in, on localhost.",
    discussion: """
      Each option can also be set by an environment variable: VESTIBULE_ and the option's name in \
      capitals, dashes as underscores (VESTIBULE_PORT=8081). An option wins over its variable.
      """,
    subcommands: [ServeCommand.self, EmulateCommand.self],
    defaultSubcommand: ServeCommand.self
  )
}

struct ServeCommand: AsyncParsableCommand {
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
    try await ServeSettings(self, environment: .process()).run()
  }
}

struct EmulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulate",
    abstract: "Serve only the emulated auth API over HTTP, for other clients."
  )

  @Option(help: "Which auth API: clerk.") var api: String?
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Logs") var logs: LogOptions

  func run() async throws {
    try await EmulateSettings(self, environment: .process()).run()
  }
}
