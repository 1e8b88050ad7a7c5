public import HTTPTypes

/// The origins under which people reach a listener: the public one, and the address that they asked.
public struct OwnOrigins: Sendable {
  /// Of the addresses under which people reach it: over TLS, a proxy in front may have ended it.
  public let scheme: String
  private let publicOrigin: String

  /// - Parameter publicOrigin: `scheme://host[:port]` as people type it.
  public init(_ publicOrigin: String) {
    self.publicOrigin = publicOrigin.lowercasedInASCII
    scheme = self.publicOrigin.hasPrefix("https:") ? "https" : "http"
  }

  /// Whether a browser says nothing of where the request comes from, or that it is one of these.
  ///
  /// Source: RFC 6454, section 7.
  public func admit(_ request: Request) -> Bool {
    let origins = request.reading?.origins ?? request.headerFields.values(of: .origin)
    guard let origin = origins.first else { return true }
    guard origins.count == 1, let host = request.onlyHost, !host.isEmpty else { return false }
    let lowercased = origin.lowercasedInASCII
    return lowercased == publicOrigin || lowercased == "\(scheme)://\(host)".lowercasedInASCII
  }
}

extension Request {
  /// Whether a browser says that a page of another origin asks, for a part of it: a picture, a frame; or that
  /// nobody looks at the answer yet, which pages of other sites ask for without telling who they are.
  ///
  /// Another port of this machine is another origin of the same site, and as foreign. Pages of ours have no
  /// parts from elsewhere: their content security policy names their own origin alone.
  public var isPartOfForeignPage: Bool {
    reading?.isPartOfForeignPage ?? headerFields.isPartOfForeignPage
  }

  /// Whether a browser says that nobody looks at the answer yet.
  public var isFetchedAhead: Bool { headerFields.isFetchedAhead }

  /// What browsers say of whose page asks; several where a client says so several times.
  public var fetchSites: [String] { reading?.fetchSites ?? headerFields.values(of: .secFetchSite) }
}

extension HTTPFields {
  var isPartOfForeignPage: Bool {
    if isFetchedAhead { return true }
    let site = value(of: .secFetchSite)
    return (site == "cross-site" || site == "same-site")
      && value(of: .secFetchDestination).map { $0 != "document" } ?? false
  }

  var isFetchedAhead: Bool { value(of: .secPurpose)?.contains("prefetch") ?? false }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Where a browser says a request comes from.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Site HTTP Request Header".
  public static let secFetchSite = Self("Sec-Fetch-Site")!

  /// What a browser says that it wants an answer for.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Dest HTTP Request Header".
  public static let secFetchDestination = Self("Sec-Fetch-Dest")!
}
