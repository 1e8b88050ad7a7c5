internal import Emulators

/// That backstage has brought a browser somewhere.
struct RecordedArrival {
  enum Way {
    /// To a state of the atlas.
    case stand
    /// To where the sign-in of somebody goes on.
    case signIn(identifier: String, password: String?)
  }

  var way: Way
  /// What was asked for, as the atlas calls it.
  var page: String?
  var state: String?
  /// Where the browser goes now.
  var location: String

  /// What a story does to bring it there.
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
