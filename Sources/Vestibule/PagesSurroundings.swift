internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Site

/// What stands around the pages, and stays when their files are read again.
struct PagesSurroundings: Sendable {
  /// Where they are served.
  var address: Configuration.Address
  var worlds: any WorldDirectory
  /// Nil where the auth API is a real one.
  var emulation: Emulation?
  var readiness: Readiness
  /// Nil where nothing is counted.
  var meter: Meter?
  var logger: Logger
  let memory = Site.Memory()

  /// What the site that answers to those hosts asks and tells.
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

  /// Finds out whether requests should come here; without the meter, which holds it.
  var probe: ReadinessProbe {
    ReadinessProbe(readiness: readiness, worlds: emulation?.worlds, logger: logger)
  }
}

/// Finds out whether requests should come to the pages.
struct ReadinessProbe: Sendable {
  let readiness: Readiness
  /// Nil where none are kept.
  let worlds: Worlds?
  let logger: Logger

  /// Why they should not, as a proxy is told that asks; nil where they should.
  func reasonAgainst() async -> String? {
    readiness.asked() ? "stopping" : await hindrance()
  }

  /// Whether they should, for who is no proxy: a stop would wait for one that has asked.
  func isReady() async -> Bool {
    guard !readiness.isStopping else { return false }
    return await hindrance() == nil
  }

  private func hindrance() async -> String? {
    await readiness.looking(logger: logger) { await worlds?.hindrance() }?.reason
  }
}
