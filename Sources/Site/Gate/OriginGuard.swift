internal import HTTPExchange
internal import HTTPTypes

/// Whether a form was sent from a page of ours (S14).
///
/// `Origin` has to be the address that was asked or the public one; a client may leave it out.
/// Either way a browser's `Sec-Fetch-Site` must not tell of another site.
struct OriginGuard: Sendable {
  private let publicOrigin: String
  private let scheme: String

  init(publicOrigin: String) {
    self.publicOrigin = publicOrigin.lowercased()
    scheme = publicOrigin.lowercased().hasPrefix("https:") ? "https" : "http"
  }

  func admits(_ request: Request) -> Bool {
    let sites = request.headerFields[values: .secFetchSite]
    guard sites.allSatisfy({ $0 == "same-origin" }) else { return false }
    let origins = request.headerFields[values: .origin]
    guard let origin = origins.first else { return true }
    guard origins.count == 1, let host = request.headerFields[.host] else { return false }
    let asked = "\(scheme)://\(host)".lowercased()
    return [asked, publicOrigin].contains(origin.lowercased())
  }
}

extension Request {
  /// Whether a browser says that a page of another site asks, for a part of it: a picture, a frame.
  var isPartOfForeignPage: Bool {
    headerFields[.secFetchSite] == "cross-site"
      && headerFields[.secFetchDestination].map { $0 != "document" } ?? false
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// Where a browser says a request comes from.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Site HTTP Request Header".
  static let secFetchSite = Self("Sec-Fetch-Site")!

  /// What a browser says that it wants an answer for.
  ///
  /// Source: W3C Fetch Metadata Request Headers, "The Sec-Fetch-Dest HTTP Request Header".
  static let secFetchDestination = Self("Sec-Fetch-Dest")!
}
