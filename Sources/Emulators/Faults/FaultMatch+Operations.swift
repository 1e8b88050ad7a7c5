internal import HTTPExchange
public import HTTPTypes
internal import Spelling

extension FaultMatch {
  /// Why a fault would never take effect.
  public enum Mismatch: Sendable, Hashable {
    /// No operation has such a path; the nearest path that one has, or nil if none is near.
    case path(nearest: String?)
    /// No operation with such a path has that method, but these.
    case method(known: [HTTPRequest.Method])
  }

  /// The methods that calls of an API have; a fault for any other would never take effect.
  public static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

  /// A longer path is compared with no other: those of operations are shorter.
  private static let comparedBytes = 200

  /// Why no call of the API can be met; nil if one of its operations has such a method and path.
  ///
  /// Operations that are not emulated count, since a fault can answer them, too; and so do the
  /// pages for browsers.
  public func mismatch(with api: EmulatedAPI) -> Mismatch? {
    let forms = CallForm.all(of: api)
    var met = forms
    if let path {
      let pattern = Self.segments(path[...])
      met = forms.filter { $0.isMet(by: pattern) }
    }
    guard !met.isEmpty else { return .path(nearest: nearestPath(among: forms)) }
    guard let method else { return nil }
    let known = Self.methods.filter { method in met.contains { $0.methods.contains(method) } }
    return known.contains(method) ? nil : .method(known: known)
  }

  /// The path of an operation that this one is probably a misspelling of; nil if none is near.
  private func nearestPath(among forms: [CallForm]) -> String? {
    guard let path, path.utf8.count <= Self.comparedBytes else { return nil }
    // Descriptions name a variable segment in braces.
    let typed: [Substring] = Self.segments(path[...]).map { $0.first == "{" ? "*" : $0 }
    return typed.joined(separator: "/").nearestName(among: forms.map { $0.pattern(like: typed) })
  }
}

/// What the calls of an operation look like on the wire.
private struct CallForm: Sendable {
  private enum Segment: Sendable {
    case name(Substring)
    case any
    case tenant

    init(_ text: Substring) {
      switch text {
      case "{tenant}": self = .tenant
      case _ where text.first == "{": self = .any
      default: self = .name(text)
      }
    }

    func accepts(_ pattern: Substring) -> Bool {
      if pattern == "*" { return true }
      return switch self {
      case .name(let name): pattern == name
      case .any: !pattern.isEmpty && pattern.first != "{"
      case .tenant: EntraTenant(pathSegment: pattern) != nil
      }
    }

    /// The segment in a fault's path, as far as possible as it was typed; a star if it is variable.
    func pattern(like typed: Substring?) -> Substring {
      switch self {
      case .name(let name): return typed == "*" ? "*" : name
      case .any, .tenant:
        guard let typed, accepts(typed) else { return "*" }
        return typed
      }
    }
  }

  private static let ofClerk = [
    ClerkRoute.allCases.map(\.rawValue), ClerkRoute.notEmulated,
    ["GET POST \(EnterprisePage.path)"],
  ].joined().map { CallForm($0) }
  private static let ofEntra = EntraEmulator.operations.map { CallForm($0) }

  static func all(of api: EmulatedAPI) -> [Self] {
    switch api {
    case .clerk: ofClerk
    case .entra: ofEntra
    }
  }

  let methods: Set<HTTPRequest.Method>
  private let segments: [Segment]

  /// - Parameter operation: Methods and path, as the tables of routes have them.
  private init(_ operation: String) {
    let words = operation.split(separator: " ")
    var methods = Set(words.dropLast().compactMap { HTTPRequest.Method(rawValue: String($0)) })
    if methods.contains(.get) { methods.insert(.head) }
    // Clerk's browsers send POST instead of these, and name the method in the query.
    let named: Set<HTTPRequest.Method> = [.put, .patch, .delete]
    if !methods.isDisjoint(with: named) { methods.insert(.post) }
    self.methods = methods
    segments = (words.last ?? "").split(separator: "/", omittingEmptySubsequences: false)
      .map { Segment($0) }
  }

  /// Whether a call can have a path that the pattern's segments match.
  func isMet(by pattern: [Substring]) -> Bool {
    pattern.count == segments.count && zip(segments, pattern).allSatisfy { $0.accepts($1) }
  }

  /// The path that a fault would have to have, with what is variable in a similar one.
  func pattern(like typed: [Substring]) -> String {
    let isAsLong = typed.count == segments.count
    return segments.indices.map { index in
      segments[index].pattern(like: isAsLong ? typed[index] : nil)
    }.joined(separator: "/")
  }
}
