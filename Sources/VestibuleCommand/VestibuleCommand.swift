import ArgumentParser
import Vestibule

struct VestibuleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vestibule",
    abstract: "The front door of sign-in, on localhost.",
    discussion: """
      Each option can also be set by an environment variable: VESTIBULE_ and the option's name in \
      capitals, dashes as underscores (VESTIBULE_PORT=8081). An option wins over its variable.
      """,
    version: "vestibule 0.1.0",
    subcommands: [
      ServeCommand.self, EmulateCommand.self, CheckCommand.self, AtlasCommand.self,
      RunCommand.self, EjectCommand.self, StoryCommand.self,
    ],
    defaultSubcommand: ServeCommand.self
  )
}

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the pages; with no option, over the emulated Clerk API."
  )

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let environment = Environment.process()
    try await Program.run { () throws(StartFailure) in
      (
        try ServeSettings(options, environment: environment).configuration(),
        try LogSettings(options.logs, environment).logger()
      )
    }
  }
}

struct EmulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulate",
    abstract: "Serve only the emulated auth API over HTTP, for other clients."
  )

  @OptionGroup var options: EmulateOptions

  func run() async throws {
    let environment = Environment.process()
    try await Program.run { () throws(StartFailure) in
      (
        try EmulateSettings(options, environment: environment).configuration(),
        try LogSettings(options.logs, environment).logger()
      )
    }
  }
}

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Serve on free ports, in memory, as long as a command runs.",
    discussion: """
      The command finds the pages at VESTIBULE_URL and the emulated API at VESTIBULE_EMULATOR_URL; \
      its exit code is this one's. Ports and --data may be given as to serve.
      """
  )

  @OptionGroup var options: ServeOptions
  @Argument(parsing: .postTerminator, help: "The command and its arguments, behind --.")
  var command: [String] = []

  func run() async throws {
    let environment = Environment.process()
    try await Program.run(command) { () throws(StartFailure) in
      (
        try ServeSettings(options, environment: environment, defaults: .transient)
          .configuration(),
        try LogSettings(options.logs, environment).logger()
      )
    }
  }
}

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read the configuration, ask the auth API what it offers, and say both.",
    discussion: """
      With --templates every page is rendered in every state, and what breaks a rule is a line. \
      Exits with 0 where all is well, 1 where something stands in the way.
      """
  )

  @OptionGroup var options: ServeOptions

  func run() async throws {
    let environment = Environment.process()
    try await Program.check { () throws(StartFailure) in
      // The settings of the logs are read as well: a bad one is what this command is there to find.
      _ = try LogSettings(options.logs, environment).logger()
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
    discussion: "Exits with 1 where a file is there already and differs: nothing is written then."
  )

  @OptionGroup var options: EjectOptions

  func run() async throws {
    let environment = Environment.process()
    try Program.eject { () throws(StartFailure) in
      try EjectOrder(options, environment: environment)
    }
  }
}
