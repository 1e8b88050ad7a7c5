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
    let origins = request.headerFields[values: .origin]
    guard let origin = origins.first else { return true }
    guard origins.count == 1, let host = request.onlyHost, !host.isEmpty else { return false }
    return [publicOrigin, "\(scheme)://\(host)".lowercasedInASCII]
      .contains(origin.lowercasedInASCII)
  }
}

extension Request {
  /// Whether a browser says that a page of another site asks, for a part of it: a picture, a frame; or that
  /// nobody looks at the answer yet, which pages of other sites ask for without telling who they are.
  public var isPartOfForeignPage: Bool {
    if let purpose = headerFields[.secPurpose], purpose.contains("prefetch") { return true }
    return headerFields[.secFetchSite] == "cross-site"
      && headerFields[.secFetchDestination].map { $0 != "document" } ?? false
  }
}

extension String {
  /// With the letters of ASCII in lower case alone: of hosts and schemes no other sign is a letter,
  /// but some of Unicode's become one.
  ///
  /// Source: RFC 3986, section 6.2.2.1.
  public var lowercasedInASCII: String {
    // Nearly all are written so already, and each request has one.
    guard utf8.contains(where: Self.isCapital) else { return self }
    return String(decoding: utf8.map { Self.isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Where a browser says a request comes from.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Site HTTP Request Header".
  public static let secFetchSite = Self("Sec-Fetch-Site")!

  /// Why a browser asks before anybody wants to see the answer.
  ///
  /// Source: the Fetch standard, "The `Sec-Purpose` header".
  public static let secPurpose = Self("Sec-Purpose")!

  /// What a browser says that it wants an answer for.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Dest HTTP Request Header".
  public static let secFetchDestination = Self("Sec-Fetch-Dest")!
}
