public import HTTPTypes

/// The origins under which people reach a listener: the public one, and the address that was requested.
public struct OwnOrigins: Sendable {
  /// The scheme by which people reach it; with https, a proxy in front may be the one that ends TLS.
  public let scheme: String
  /// Whether that is https, so that cookies are for TLS only.
  public var isSecure: Bool { scheme == "https" }
  private let publicOrigin: String

  /// - Parameter publicOrigin: `scheme://host[:port]` as people type it.
  public init(_ publicOrigin: String) {
    self.publicOrigin = publicOrigin.lowercasedInASCII
    scheme = self.publicOrigin.hasPrefix("https:") ? "https" : "http"
  }

  /// Whether the request has no `Origin`, or exactly one that is one of these.
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
  /// Whether a browser says that the request is for a part of another origin's page, such as an image or a frame, or
  /// that it is a prefetch, which other sites' pages can cause without being named.
  ///
  /// Another port of this machine is another origin of the same site, and just as foreign. Our own pages have no
  /// parts from elsewhere: their content security policy allows only their own origin.
  public var isPartOfForeignPage: Bool {
    reading?.isPartOfForeignPage ?? headerFields.isPartOfForeignPage
  }

  /// Whether a browser says that this is a prefetch, so that nobody looks at the answer yet.
  public var isFetchedAhead: Bool { headerFields.isFetchedAhead }

  /// What the browser says about the requesting page's site; several values if the field is repeated.
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
  /// How the origin that a request comes from relates to this one, according to the browser.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Site HTTP Request Header".
  public static let secFetchSite = Self("Sec-Fetch-Site")!

  /// What the browser will use the answer for.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Dest HTTP Request Header".
  public static let secFetchDestination = Self("Sec-Fetch-Dest")!
}
