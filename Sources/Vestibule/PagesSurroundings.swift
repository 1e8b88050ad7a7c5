internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Site

/// What the pages depend on that is kept when their files are read again.
struct PagesSurroundings: Sendable {
  /// Where they are served.
  var address: Configuration.Address
  var worlds: any WorldDirectory
  /// Nil if the auth API is a real one.
  var emulation: Emulation?
  var readiness: Readiness
  /// Nil if nothing is counted.
  var meter: Meter?
  var logger: Logger
  let memory = Site.Memory()

  /// The environment of a site that answers to those hosts.
  func environment(of hosts: HostPolicy) -> Site.Environment {
    let probe = probe
    return Site.Environment(
      machineNow: { Date() },
      random: systemRandomBytes,
      logger: logger,
      notReady: { await probe.reasonAgainst() },
      turnedAway: meter?.turnedAway(knowing: hosts),
      happened: meter?.countingFlows()
    )
  }

  /// Checks readiness; without the meter, which holds this probe.
  var probe: ReadinessProbe {
    ReadinessProbe(readiness: readiness, worlds: emulation?.worlds, logger: logger)
  }
}

/// Checks whether requests should be sent to the pages.
struct ReadinessProbe: Sendable {
  let readiness: Readiness
  /// Nil if there are none.
  let worlds: Worlds?
  let logger: Logger

  /// Why they should not be, for a proxy that asks; nil if they should.
  func reasonAgainst() async -> String? {
    readiness.asked() ? "stopping" : await hindrance()
  }

  /// Whether they should be, for anyone but a proxy: not noted as asked, since a stop waits for those who ask.
  func isReady() async -> Bool {
    guard !readiness.isStopping else { return false }
    return await hindrance() == nil
  }

  private func hindrance() async -> String? {
    await readiness.looking(logger: logger) { await worlds?.hindrance() }?.reason
  }
}
