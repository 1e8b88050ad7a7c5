internal import Emulators

/// That backstage has brought a browser somewhere.
struct RecordedArrival {
  enum Way {
    /// To a state of the atlas.
    case stand
    /// To where somebody's sign-in continues.
    case signIn(identifier: String, password: String?)
  }

  var way: Way
  /// The page and state that were requested, as the atlas names them.
  var page: String?
  var state: String?
  /// Where the browser goes now.
  var location: String

  /// The step of a story that brings a browser there.
  var step: [JSON.Member] {
    switch way {
    case .stand:
      let names = [page, state].compactMap(\.self)
      let place = zip(["page", "state"], names).map { JSON.Member($0, .string($1)) }
      return [
        .init("say", .string("Stands at \(names.joined(separator: "/")).")),
        .init("stand", .object(place)),
      ]
    case .signIn(let identifier, let password):
      let password = password.map { [JSON.Member("password", .string($0))] } ?? []
      return [
        .init("say", "Signs in by the press of a button."),
        .init("submit", .object([JSON.Member("identifier", .string(identifier))] + password)),
      ]
    }
  }
}
