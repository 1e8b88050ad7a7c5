extension Configuration {
  /// The addresses to listen on: what is served there, and the option that names the port.
  private var places: [(what: String, option: String, address: Address)] {
    let all: [(what: String, option: String, address: Address?)] = [
      ("the pages", "port", pages),
      ("the emulated API", pages == nil ? "port" : "emulator-port", emulator),
      ("the metrics", "metrics-port", metrics),
    ]
    return all.compactMap { place in
      place.address.map { (what: place.what, option: place.option, address: $0) }
    }
  }

  /// Notes a port that is taken, since the program may be serving there already, or an address that this machine does
  /// not have.
  ///
  /// - Throws: `StartFailure` for a port that this program may not listen on at all.
  func portNotes() throws(StartFailure) -> [String] {
    var notes: [String] = []
    for place in places where place.address.port != 0 {
      do throws(StartFailure) {
        try place.address.checkFree(by: place.option)
      } catch {
        guard error.kind == .unavailable else { throw error }
        notes.append(error.description)
      }
    }
    return notes
  }

  /// Refuses one port for two listeners: the system would only report that it is in use, though by no other program.
  ///
  /// - Throws: `StartFailure` that names two listeners with the same port.
  func refuseSharedPort() throws(StartFailure) {
    let named = places.filter { $0.address.port != 0 }
    for (index, place) in named.enumerated() {
      guard let other = named[..<index].first(where: { $0.address == place.address }) else {
        continue
      }
      throw StartFailure(
        .configuration,
        "Port \(place.address.port) cannot serve both \(other.what) and \(place.what)"
      )
    }
  }
}
