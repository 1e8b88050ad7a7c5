internal import CCurl

/// libcurl's functions, which can be called only once the library is open.
typealias CurlLibrary = ccurl_library

extension CurlLibrary {
  /// The library, opened on first use; nil if it is not installed or too old.
  static let opened = withUnsafeTemporaryAllocation(of: CurlLibrary.self, capacity: 1) { place in
    ccurl_open(place.baseAddress) ? place[0] : nil
  }
}
