/// The tenant that a path begins with.
///
/// The emulator accepts any tenant: every `NAME.onmicrosoft.com` is the tenant of one published
/// GUID, and every other GUID is a tenant of its own. All have the same accounts.
/// Source: Microsoft, native authentication API reference.
public struct EntraTenant: Sendable, Hashable {
  /// The GUID, in lower case, of the tenant that every name stands for.
  public static let defaultID = "94d1b0c2-0f6a-4a53-8f57-6f2f0b1a7e20"
  /// One of that tenant's names.
  public static let defaultName = "vestibule.onmicrosoft.com"

  /// A GUID in lower case.
  public var id: String

  static let `default` = Self(id: defaultID)

  private init(id: String) { self.id = id }

  /// Nil for a segment that names no tenant.
  init?(pathSegment text: some StringProtocol) {
    if let guid = GUID.parsed(text) {
      id = guid
      return
    }
    let suffix = ".onmicrosoft.com"
    let name = text.lowercased()
    guard name.hasSuffix(suffix) else { return nil }
    let label = name.dropLast(suffix.count)
    let isLabel =
      (1...63).contains(label.utf8.count)
      && label.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isLabel else { return nil }
    id = Self.defaultID
  }
}

/// The app that calls, by the identifier that it was registered under.
///
/// Any GUID is a registered app, except two that exist to trigger refusals.
/// Source: Microsoft, native authentication API reference.
public enum EntraApp {
  /// The one that the documentation uses.
  public static let demoID = "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911"
  /// Not registered.
  static let unknownID = "00000000-0000-0000-0000-000000000000"
  /// Registered, but native authentication is switched off for it.
  static let disabledID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
}
