internal import AuthFlow
internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// What a request's cookies turned out to be.
indirect enum OpenedVisit: Sendable {
  /// No cookie of ours.
  case absent
  /// A cookie of ours, of another world.
  case elsewhere
  /// A cookie of ours that cannot be read: damaged, of another version, or sealed with a key that
  /// is gone.
  case unreadable(UnreadableVisit)
  /// Expired, or sealed in the future. Only its ids, identifier, sign-up details, return address and
  /// provider memory are left, and whether somebody was signed in or under way.
  case ended(Visit, wasIn: Bool, hadAttempt: Bool)
  case live(Visit)

  var visit: Visit? {
    switch self {
    case .absent, .elsewhere, .unreadable: nil
    case .ended(let visit, _, _), .live(let visit): visit
    }
  }

  /// Whether the browser has no visit in this world yet.
  var isAbsent: Bool {
    switch self {
    case .absent, .elsewhere: true
    case .unreadable, .ended, .live: false
    }
  }

  /// Whether no cookie of ours came along, as is always so where browsers keep none.
  var lacksCookie: Bool {
    if case .absent = self { return true }
    return false
  }

  /// The visit that the browser has; nil where it has to be given one.
  var unchanged: Visit? {
    switch self {
    case .absent, .elsewhere, .unreadable, .ended: nil
    case .live(let visit): visit
    }
  }
}

/// Why a visit cannot be read, as far as that is known, in the words of the log.
enum UnreadableVisit: String, Sendable {
  case foreignKey = "it was sealed with a key that is unknown here, or has been changed since"
  case otherVersion = "it was sealed by another version of this program, or has been changed since"
  case damaged = "it is not a sealed visit, or only a part of one"
}

/// Keeps visits in the browser: sealed, split over as many cookies as needed (S11, S12).
///
/// Every piece except the last is full. So the browser may keep pieces of two visits, as it does
/// when the answer with the larger one comes first: the cookies of one answer are stored together,
/// and what follows the last piece of the newest visit is ignored.
///
/// Over plain http a page at another port of this host can add cookies of these names, which the
/// browser sends before ours: the last value of each counts, and others only if that is no visit.
struct VisitStore: Sendable {
  /// The length of a full piece, in characters.
  ///
  /// It keeps each cookie's name and value below what every browser stores. Replicas and versions
  /// that read each other's cookies have to agree on it.
  static let pieceLength = 3_700
  static let pieceLimit = 4
  /// How many more values of the cookies are tried if the last ones are no visit: anybody can send
  /// many.
  static let otherLimit = 4
  private static let skew: TimeInterval = 60
  private static let freshLife = Duration.seconds(Visit.lifetime)

  /// The names of the cookies, one for each piece.
  private let names: [CookieName]
  private let sealer: Sealer

  /// - Parameters:
  ///   - ring: The keys.
  ///   - publicOrigin: The address that people type; it is part of the cookies' names, since ports
  ///     share cookies.
  ///   - isSecure: Whether that address is https.
  ///   - random: So many random bytes, for the seals.
  init(
    ring: KeyRing,
    publicOrigin: String,
    isSecure: Bool,
    random: @escaping @Sendable (Int) -> [UInt8]
  ) {
    let mark = Hexadecimal.text(of: SHA256.hash(data: Data(publicOrigin.utf8)).prefix(4))
    let baseName = "vestibule-\(mark)"
    names = (0..<Self.pieceLimit).map { CookieName("\(baseName)-\($0)", isSecure: isSecure) }
    let sealedName = CookieName(baseName, isSecure: isSecure).text
    sealer = Sealer(ring: ring, cookieName: sealedName, random: random)
  }

  func open(
    from request: Request,
    world: WorldName,
    machineNow: Date,
    worldNow: Date
  ) -> OpenedVisit {
    guard let letters = letters({ request.cookie(names[$0]) }) else { return .absent }
    guard let visit = visit(in: letters) ?? visit(inOtherValuesOf: request) else {
      return letters.isEmpty ? .absent : .unreadable(fault(of: letters))
    }
    guard visit.world == world.text else { return .elsewhere }
    guard visit.sealedAt <= machineNow.addingTimeInterval(Self.skew), worldNow < visit.expiresAt
    else {
      var ended = Visit(
        id: visit.id,
        world: visit.world,
        machineNow: machineNow,
        worldNow: worldNow
      )
      ended.earlierIDs = visit.earlierIDs
      ended.identifier = visit.identifier
      ended.typedDetails = visit.signUpDetails
      ended.returnAddress = visit.returnAddress
      ended.memory = visit.memory
      return .ended(
        ended,
        wasIn: visit.standingSession != nil,
        hadAttempt: !visit.attempts.isEmpty
      )
    }
    return .live(visit)
  }

  /// The cookies that delete the request's visit.
  func cookies(droppingThoseIn request: Request) -> [SetCookie] {
    deletions(of: names[...], in: request)
  }

  /// The cookies that keep the visit; nil where it is too large for a browser to keep.
  ///
  /// What can be done without is given up if not all of it fits. Pieces that the request has and
  /// that are no longer needed are deleted.
  func cookies(
    keeping visit: Visit,
    insteadOfThoseIn request: Request,
    machineNow: Date,
    worldNow: Date
  ) -> [SetCookie]? {
    var visit = visit
    visit.sealedAt = machineNow
    visit.expiresAt = max(
      worldNow.addingTimeInterval(Visit.lifetime),
      min(
        worldNow.addingTimeInterval(Visit.longestLifetime),
        visit.session?.expiresAt ?? .distantPast
      )
    )
    guard let plain = VisitEncoding.bytes(of: visit), let pieces = pieces(of: plain) else {
      return visit.dropCargo()
        ? cookies(
          keeping: visit,
          insteadOfThoseIn: request,
          machineNow: machineNow,
          worldNow: worldNow
        ) : nil
    }
    let life = Duration.seconds(visit.expiresAt.timeIntervalSince(worldNow).rounded(.up))
    let kept = zip(names, pieces).map { name, piece in
      SetCookie(name: name, value: piece, maximumAge: life)
    }
    return kept + deletions(of: names.dropFirst(pieces.count), in: request)
  }

  /// Deletes those of the cookies that the request has.
  private func deletions(of names: ArraySlice<CookieName>, in request: Request) -> [SetCookie] {
    names.filter { request.cookie($0) != nil }
      .map { SetCookie(name: $0, value: "", maximumAge: .zero) }
  }

  /// The cookie that keeps a new visit; nil where it cannot be sealed.
  func cookie(beginning visit: FreshVisit) -> SetCookie? {
    guard let pieces = pieces(of: VisitEncoding.bytes(of: visit)), pieces.count == 1 else {
      return nil
    }
    return SetCookie(name: names[0], value: pieces[0], maximumAge: Self.freshLife)
  }

  private func pieces(of plain: [UInt8]) -> [String]? {
    guard let sealed = sealer.seal(plain) else { return nil }
    let text = Base64URL.text(of: sealed)
    guard text.utf8.count > Self.pieceLength else { return [text] }
    let letters = Array(text.utf8)
    let pieces = stride(from: 0, to: letters.count, by: Self.pieceLength).map { start in
      String(decoding: letters[start..<min(start + Self.pieceLength, letters.count)], as: UTF8.self)
    }
    return pieces.count <= Self.pieceLimit ? pieces : nil
  }

  /// The characters of the pieces, up to and including the first one that is not full; nil where
  /// there is no piece.
  private func letters(_ piece: (Int) -> Substring?) -> [UInt8]? {
    guard let first = piece(0) else { return nil }
    var letters: [UInt8] = []
    letters.append(utf8Of: first)
    for place in 1..<Self.pieceLimit {
      guard letters.count == place * Self.pieceLength, let next = piece(place) else { break }
      letters.append(utf8Of: next)
    }
    return letters
  }

  /// The visit in other values of the cookies than the last ones; nil where each has only one.
  private func visit(inOtherValuesOf request: Request) -> Visit? {
    let values = names.map { request.cookieValues($0) }
    for step in 1...Self.otherLimit where values.contains(where: { $0.count > step }) {
      let other = letters { place in
        values[place].isEmpty ? nil : values[place][max(0, values[place].count - 1 - step)]
      }
      if let other, let found = visit(in: other) { return found }
    }
    return nil
  }

  /// The visit in the pieces, or in the first of them: where its last piece is full, too, a piece
  /// of another visit may follow.
  private func visit(in letters: [UInt8]) -> Visit? {
    if let visit = visit(sealedAs: letters) { return visit }
    for count in (1..<Self.pieceLimit).reversed() where letters.count > count * Self.pieceLength {
      let visit = visit(sealedAs: Array(letters.prefix(count * Self.pieceLength)))
      if let visit { return visit }
    }
    return nil
  }

  /// Why the pieces are not a visit.
  private func fault(of letters: [UInt8]) -> UnreadableVisit {
    guard let sealed = Base64URL.bytes(ofLetters: letters), Sealer.isLongEnough(sealed) else {
      return .damaged
    }
    guard Sealer.isOfThisVersion(sealed) else { return .otherVersion }
    // What opens is intact, but of an encoding that this program does not know.
    return sealer.open(sealed) == nil ? .foreignKey : .otherVersion
  }

  private func visit(sealedAs letters: [UInt8]) -> Visit? {
    Base64URL.bytes(ofLetters: letters).flatMap(sealer.open)
      .flatMap { VisitEncoding.visit(from: $0) }
  }
}
