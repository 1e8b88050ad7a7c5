extension Configuration {
  /// Refuses one port for two listeners: the system would only report that it is in use, though by no other program.
  ///
  /// - Throws: `StartFailure` that names two listeners with the same port.
  func refuseSharedPort() throws(StartFailure) {
    var named: [(what: String, address: Address)] = []
    for case (let what, let address?) in [
      ("the pages", pages), ("the emulated API", emulator), ("the metrics", metrics),
    ] where address.port != 0 {
      if let other = named.first(where: { $0.address == address }) {
        throw StartFailure(
          .configuration,
          "Port \(address.port) cannot serve both \(other.what) and \(what)"
        )
      }
      named.append((what, address))
    }
  }
}
