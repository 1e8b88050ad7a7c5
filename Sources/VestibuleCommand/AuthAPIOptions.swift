import ArgumentParser
import Foundation
import Vestibule

/// Which auth API to use, and where it is.
///
/// Only this file knows the options that name an auth API.
struct AuthAPIOptions: ParsableArguments {
  /// The options that belong to only one auth API, and the one that chooses it.
  static let names = [
    "api", "publishable-key", "frontend-api-url", "authority", "client-id", "scopes",
  ]

  @Option(
    help: "Which auth API the flows speak: \(AuthAPIName.listed). (default: clerk)",
    completion: .cases(AuthAPIName.self)
  )
  var api: String?
  @Option(help: "A real Clerk instance; its host is read from the key.")
  var publishableKey: String?
  @Option(
    name: .customLong("frontend-api-url"),
    help: "A Clerk Frontend API at this address (overrides the key's)."
  )
  var frontendAPIURL: String?
  @Option(help: "A real Entra External ID tenant: https://HOST/TENANT.")
  var authority: String?
  @Option(
    name: .customLong("client-id"),
    help: "The client ID of the app in that tenant, registered for native authentication."
  )
  var clientID: String?
  @Option(help: "The scopes that a sign-in asks Entra for, separated by spaces.")
  var scopes: String?
  @Option(help: "The HTTP proxy through which a real auth API is called: http://HOST:PORT.")
  var upstreamProxy: String?
}

/// An auth API that the program supports.
enum AuthAPIName: String, CaseIterable {
  case clerk, entra

  /// For people: clerk or entra.
  static let listed = allCases.map(\.rawValue).joined(separator: " or ")

  var emulated: EmulatedAuthAPI {
    switch self {
    case .clerk: .clerk
    case .entra: .entra
    }
  }
}

extension Environment {
  /// The auth API that is named; Clerk's by default.
  ///
  /// - Throws: `StartFailure` if there is no such API.
  func apiName(_ given: String?) throws(StartFailure) -> AuthAPIName {
    guard let setting = setting(given, "api") else { return .clerk }
    guard let name = AuthAPIName(rawValue: setting.text) else {
      let names = AuthAPIName.allCases.map(\.rawValue).joined(separator: ", ")
      throw setting.failure("is not a supported auth API (\(names))")
    }
    return name
  }

  /// The auth API that the options describe: a real one, or the emulated one.
  ///
  /// - Throws: `StartFailure` for a bad address or key, and for an option that belongs to another API.
  func authAPI(_ options: AuthAPIOptions) throws(StartFailure) -> AuthAPI {
    if let entra = try entraAPI(options) { return entra }
    let url = setting(options.frontendAPIURL, "frontend-api-url")
    let key = setting(options.publishableKey, "publishable-key")
    let parsedKey = try key.map { key throws(StartFailure) in
      do {
        return try PublishableKey(key.text)
      } catch {
        throw StartFailure(.configuration, "\(key.name) is invalid: \(error)")
      }
    }
    if let url {
      do {
        return .remote(try .clerk(at: url.text, key: parsedKey))
      } catch {
        throw StartFailure(.configuration, "\(url.name) is invalid: \(error)")
      }
    }
    guard let parsedKey else { return .emulated(.clerk) }
    return .remote(try .clerk(at: "https://\(parsedKey.frontendAPIHost)", key: parsedKey))
  }

  /// Entra's API if it is asked for, by name or by its options; nil if Clerk's is.
  private func entraAPI(_ options: AuthAPIOptions) throws(StartFailure) -> AuthAPI? {
    let isNamed = value(options.api, "api") != nil
    let ofClerk = [
      setting(options.frontendAPIURL, "frontend-api-url"),
      setting(options.publishableKey, "publishable-key"),
    ].compactMap(\.self).first
    let ofEntra = [
      setting(options.authority, "authority"), setting(options.clientID, "client-id"),
    ].compactMap(\.self).first
    switch try apiName(options.api) {
    case .clerk:
      guard let ofEntra else {
        if let scopes = setting(options.scopes, "scopes") {
          throw scopes.clash("is only for --api entra")
        }
        return nil
      }
      guard !isNamed, ofClerk == nil else { throw ofEntra.clash("is only for --api entra") }
      return try tenant(options)
    case .entra:
      if let ofClerk { throw ofClerk.clash("is only for --api clerk") }
      return try tenant(options)
    }
  }

  /// The tenant that the options describe, or the emulated one.
  private func tenant(_ options: AuthAPIOptions) throws(StartFailure) -> AuthAPI {
    let authority = setting(options.authority, "authority")
    let clientID = setting(options.clientID, "client-id")
    let scopes = try scopes(options.scopes)
    switch (authority, clientID) {
    case (let authority?, let clientID?):
      try refuseUnlessID(clientID)
      do {
        return .remote(
          try .entra(authority: authority.text, clientID: clientID.text, scopes: scopes ?? [])
        )
      } catch {
        throw StartFailure(.configuration, "\(authority.name) is invalid: \(error)")
      }
    case (let setting?, nil), (nil, let setting?):
      throw setting.clash("is alone: --authority and --client-id must be set together")
    case (nil, nil): return .emulated(scopes.map(EmulatedAuthAPI.entra(scopes:)) ?? .entra)
    }
  }

  /// The scopes that a sign-in requests; nil if the option is not set.
  ///
  /// - Throws: `StartFailure` for a list with separators as other programs use them, which would be one scope that no
  ///   tenant knows, and for scopes of two APIs, which a tenant refuses at every sign-in (`AADSTS70011`).
  private func scopes(_ given: String?) throws(StartFailure) -> [String]? {
    guard let setting = setting(given, "scopes") else { return nil }
    let scopes = setting.text.split(whereSeparator: \.isWhitespace)
    let whole = scopes.joined(separator: " ")[...]
    guard !whole.isQuoted, !scopes.contains(where: { $0.isQuoted || $0.isListOfScopes }) else {
      throw setting.failure(
        "takes scopes separated by spaces, not commas, and without quotes around them"
      )
    }
    let resources = scopes.compactMap(\.resource)
    if let first = resources.first, let other = resources.first(where: { $0 != first }) {
      throw setting.clash(
        "names scopes of \(first) and of \(other): a sign-in can ask for the scopes of one API only"
      )
    }
    return scopes.map(String.init)
  }

  /// Refuses an ID that is not a GUID: a tenant has no such app, but only a sign-in would show it.
  ///
  /// The text is not repeated, since it may be the app's secret by mistake.
  private func refuseUnlessID(_ clientID: Setting) throws(StartFailure) {
    guard UUID(uuidString: clientID.text) == nil else { return }
    let reason =
      clientID.text.isWrapped
      ? "has quotes or spaces around it: remove them"
      : "is not an app ID (a GUID): the Entra admin center shows it as Application (client) ID"
    throw StartFailure(
      clientID.isFromVariable ? .configuration : .usage,
      "\(clientID.name) \(reason)"
    )
  }
}

extension Substring {
  /// Whether there are quotes around it, left there by a shell or a settings file.
  ///
  /// Inside a scope, some quotes are allowed (RFC 6749, section 3.3).
  fileprivate var isQuoted: Bool {
    let quotes = "\"'`“”‘’"
    guard let start = first, let end = last else { return false }
    return quotes.contains(start) && quotes.contains(end)
  }

  /// Whether it is a list with commas or semicolons in place of blanks, or part of one.
  ///
  /// A scope may contain these too, so both sides of one have to look like scopes.
  fileprivate var isListOfScopes: Bool {
    let parts = split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
    if parts.first?.isEmpty == true || parts.last?.isEmpty == true { return true }
    return zip(parts, parts.dropFirst()).contains { $0.looksLikeScope && $1.looksLikeScope }
  }

  /// The API that a scope belongs to, in lower case: Microsoft Graph if it names none; nil for OpenID Connect's scopes.
  fileprivate var resource: String? {
    if ["openid", "profile", "email", "offline_access"].contains(lowercased()) { return nil }
    guard let slash = lastIndex(of: "/") else { return "https://graph.microsoft.com" }
    return self[..<slash].lowercased()
  }

  /// Whether it is one of OpenID Connect's scopes, a URI as APIs use it, or a name such as `User.Read`.
  private var looksLikeScope: Bool {
    let ofOpenID = ["openid", "profile", "email", "address", "phone", "offline_access"]
    if ofOpenID.contains(lowercased()) || contains("://") { return true }
    let words = split(separator: ".", omittingEmptySubsequences: false)
    return words.count > 1
      && words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isLetter }
      }
  }
}
