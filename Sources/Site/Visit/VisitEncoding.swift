internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// The encoding of a visit, as bytes to be sealed.
///
/// It is short while no step has been taken, as on first pages and their refusals; the marks of refused
/// forms follow if there are any. For somebody who is signed in, the session follows, which all their
/// pages read. Anything else follows as JSON.
enum VisitEncoding {
  private enum Layout: UInt8 {
    case short = 1
    case session = 3
    case steps = 4
    /// Short, followed by the marks of submitted forms.
    case refused = 5
  }

  /// The parts that only some visits have.
  private struct Steps: Codable {
    var usedLinks: [Continuation]
    /// Nil where there are none.
    var typedDetails: [Field: String]?
    /// Nil if there are none, or if an earlier version sealed the visit.
    var sentForms: [UInt32]?
    /// Nil, too, if an earlier version sealed the visit, as the next one.
    var addressAfterSignOut: String?
    var ledTo: LedTo?
    var flash: Flash?
    var standing: Standing
  }

  /// The bytes, as of any visit in which nothing has happened.
  static func bytes(of fresh: FreshVisit) -> [UInt8] {
    var writer = ByteWriter(capacity: 128)
    writer.append(Layout.short.rawValue)
    writer.append(fresh.idBytes)
    writer.append(fresh.machineNow)
    writer.append(fresh.worldNow.addingTimeInterval(Visit.lifetime))
    writer.append(UInt32(0))
    writer.append(fresh.world)
    // No identifier, no return address, and no provider memory.
    for _ in 0..<3 { writer.append(UInt8(0)) }
    return writer.bytes
  }

  /// The bytes; nil where a value has no JSON, or the provider's memory has more than 255 entries.
  static func bytes(of visit: Visit) -> [UInt8]? {
    guard visit.memory.entries.count <= UInt8.max else { return nil }
    var writer = ByteWriter(capacity: 512)
    if visit.isShort, let id = Base64URL.bytes(of: visit.id), id.count == Visit.idLength {
      let forms = visit.sentForms
      writer.append((forms.isEmpty ? Layout.short : .refused).rawValue)
      writer.append(id)
      write(beginningOf: visit, to: &writer)
      if !forms.isEmpty { writer.append(UInt8(clamping: forms.count)) }
      for form in forms { writer.append(form) }
      return writer.bytes
    }
    let session = visit.sessionAlone
    writer.append((session == nil ? Layout.steps : .session).rawValue)
    writer.append(visit.id)
    write(beginningOf: visit, to: &writer)
    writer.append(UInt32(clamping: visit.attemptCount))
    writer.append(UInt8(clamping: visit.earlierIDs.count))
    for id in visit.earlierIDs { writer.append(id) }
    if let session {
      write(session, to: &writer)
      return writer.bytes
    }
    let steps = Steps(
      usedLinks: visit.usedLinks,
      typedDetails: visit.typedDetails.isEmpty ? nil : visit.typedDetails,
      sentForms: visit.sentForms.isEmpty ? nil : visit.sentForms,
      addressAfterSignOut: visit.addressAfterSignOut,
      ledTo: visit.ledTo,
      flash: visit.flash,
      standing: visit.standing
    )
    return (try? JSONEncoder().encode(steps)).map { writer.bytes + $0 }
  }

  /// The visit; nil for bytes that are not one.
  static func visit(from bytes: some RandomAccessCollection<UInt8>) -> Visit? {
    guard let layout = bytes.first.flatMap(Layout.init(rawValue:)) else { return nil }
    var reader = ByteReader(Array(bytes.dropFirst()))
    if layout == .short || layout == .refused {
      guard let id = reader.bytes(Visit.idLength),
        var visit = visit(named: Base64URL.text(of: Array(id)), from: &reader)
      else { return nil }
      if layout == .refused {
        guard let forms = forms(from: &reader) else { return nil }
        visit.restore(sentForms: forms)
      }
      return reader.isAtEnd ? visit : nil
    }
    guard let id = reader.text(), var visit = visit(named: id, from: &reader),
      let attemptCount = reader.number(UInt32.self), let earlierCount = reader.number(UInt8.self)
    else { return nil }
    visit.restore(attemptCount: Int(attemptCount))
    for _ in 0..<earlierCount {
      guard let id = reader.text() else { return nil }
      visit.earlierIDs.append(id)
    }
    if layout == .session {
      guard let session = session(from: &reader), reader.isAtEnd else { return nil }
      visit.enter(session)
    } else {
      guard let steps = try? JSONDecoder().decode(Steps.self, from: Data(reader.rest)) else {
        return nil
      }
      visit.usedLinks = steps.usedLinks
      visit.typedDetails = steps.typedDetails ?? [:]
      visit.restore(sentForms: steps.sentForms ?? [])
      visit.addressAfterSignOut = steps.addressAfterSignOut
      visit.restore(ledTo: steps.ledTo)
      visit.flash = steps.flash
      visit.standing = steps.standing
    }
    return visit
  }

  // MARK: What every visit has

  private static func write(beginningOf visit: Visit, to writer: inout ByteWriter) {
    writer.append(visit.sealedAt)
    writer.append(visit.expiresAt)
    writer.append(visit.revision)
    writer.append(visit.world)
    writer.append(visit.identifier)
    writer.append(visit.returnAddress)
    writer.append(UInt8(visit.memory.entries.count))
    for (name, value) in visit.memory.entries {
      writer.append(name)
      writer.append(value)
    }
  }

  private static func visit(named id: String, from reader: inout ByteReader) -> Visit? {
    guard let sealedAt = reader.date(), let expiresAt = reader.date(),
      let revision = reader.number(UInt32.self), let world = reader.text(),
      let identifier = reader.optionalText(), let returnAddress = reader.optionalText(),
      let memoryCount = reader.number(UInt8.self)
    else { return nil }
    var memory: [String: String] = [:]
    for _ in 0..<memoryCount {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      memory[name] = value
    }
    var visit = Visit(id: id, world: world, machineNow: sealedAt, worldNow: .distantPast)
    visit.expiresAt = expiresAt
    visit.revision = revision
    visit.identifier = identifier
    visit.returnAddress = returnAddress
    visit.memory = ProviderMemory(memory)
    return visit
  }

  private static func forms(from reader: inout ByteReader) -> [UInt32]? {
    guard let count = reader.number(UInt8.self) else { return nil }
    var forms: [UInt32] = []
    for _ in 0..<count {
      guard let form = reader.number(UInt32.self) else { return nil }
      forms.append(form)
    }
    return forms
  }

  // MARK: Of somebody who is in

  private static func write(_ session: Session, to writer: inout ByteWriter) {
    writer.append(session.id)
    writer.append(session.user.id)
    writer.append(session.user.identifier)
    writer.append(session.user.firstName)
    writer.append(session.user.lastName)
    writer.append(session.expiresAt)
    writer.append(session.hasBackupCodes.map { $0 ? "yes" : "no" })
    writer.append(session.organization?.id)
    writer.append(session.organization?.name)
    writer.append(session.organization?.slug)
  }

  private static func session(from reader: inout ByteReader) -> Session? {
    guard let id = reader.text(), let userID = reader.text(), let identifier = reader.text(),
      let firstName = reader.optionalText(), let lastName = reader.optionalText(),
      let expiresAt = reader.date(), let hasBackupCodes = reader.optionalText(),
      let organizationID = reader.optionalText(), let organizationName = reader.optionalText(),
      let slug = reader.optionalText()
    else { return nil }
    let user = Session.User(
      id: userID,
      identifier: identifier,
      firstName: firstName,
      lastName: lastName
    )
    var session = Session(id: id, user: user, expiresAt: expiresAt)
    session.hasBackupCodes = hasBackupCodes.map { $0 == "yes" }
    if let organizationID, let organizationName {
      session.organization = Session.Organization(
        id: organizationID,
        name: organizationName,
        slug: slug
      )
    }
    return session
  }
}

extension Visit {
  /// Whether nothing is known about it except its id, its world and its times.
  var isBare: Bool {
    var bare = Visit(id: id, world: world, machineNow: sealedAt, worldNow: expiresAt)
    bare.expiresAt = expiresAt
    bare.revision = revision
    return self == bare
  }

  /// Whether nothing else is known about it except an identifier, a return address, the marks of
  /// submitted forms and the provider's memory.
  fileprivate var isShort: Bool {
    var visit = self
    visit.identifier = nil
    visit.returnAddress = nil
    visit.memory = ProviderMemory()
    visit.restore(sentForms: [])
    return visit.isBare
  }

  /// The session of somebody who is signed in, if `VisitEncoding` writes all that is known.
  ///
  /// What may be added to sessions later is not lost: such a session is written as JSON.
  fileprivate var sessionAlone: Session? {
    guard case .signedIn(let signedIn) = standing, signedIn.pending == nil, flash == nil,
      usedLinks.isEmpty, typedDetails.isEmpty, sentForms.isEmpty, addressAfterSignOut == nil,
      ledTo == nil
    else { return nil }
    let session = signedIn.session
    let user = session.user
    var alone = Session(
      id: session.id,
      user: Session.User(
        id: user.id,
        identifier: user.identifier,
        firstName: user.firstName,
        lastName: user.lastName
      ),
      expiresAt: session.expiresAt
    )
    alone.hasBackupCodes = session.hasBackupCodes
    alone.organization = session.organization.map {
      Session.Organization(id: $0.id, name: $0.name, slug: $0.slug)
    }
    return alone == session ? session : nil
  }
}

// MARK: - Numbers and texts

/// Writes numbers big-endian, and texts preceded by their lengths.
private struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ raw: [UInt8]) { bytes += raw }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }

  mutating func append(_ date: Date) {
    append(date.timeIntervalSinceReferenceDate.bitPattern)
  }

  mutating func append(_ text: String) {
    append(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  mutating func append(_ text: String?) {
    append(UInt8(text == nil ? 0 : 1))
    if let text { append(text) }
  }
}

/// Reads what `ByteWriter` wrote; nil as soon as there is less than was announced.
private struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    bytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Nil for what is not a time: not a number, or infinite.
  mutating func date() -> Date? {
    guard let seconds = number(UInt64.self).map(Double.init(bitPattern:)), seconds.isFinite else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  mutating func text() -> String? {
    number(UInt32.self).flatMap { bytes(Int($0)) }.flatMap { String(utf8: Array($0)) }
  }

  /// The inner optional is nil where there is no text, the outer one where there is nothing to
  /// read.
  mutating func optionalText() -> String?? {
    switch number(UInt8.self) {
    case 0: .some(nil)
    case 1: text().map { .some($0) }
    default: nil
    }
  }
}
