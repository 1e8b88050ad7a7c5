import Vestibule

/// What `eject` is to write, and where.
struct EjectOrder {
  var files: Ejection
  var destination: String
  var overwrites: Bool

  /// - Throws: `StartFailure` for the first setting that is bad.
  init(_ options: EjectOptions, environment: Environment) throws(StartFailure) {
    try environment.refuseUnknown(besides: allOptions + toldByRun)
    files = try Ejection(options.names)
    destination = try environment.destination(options.out)
    overwrites = try environment.flag(options.force, "force")
  }
}
