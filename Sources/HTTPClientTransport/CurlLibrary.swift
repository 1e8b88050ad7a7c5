internal import CCurl

/// libcurl's functions; who has them can call them.
typealias CurlLibrary = ccurl_library

extension CurlLibrary {
  /// The library, opened for whoever asks first; nil where it is not installed, or too old.
  static let opened = withUnsafeTemporaryAllocation(of: CurlLibrary.self, capacity: 1) { place in
    ccurl_open(place.baseAddress) ? place[0] : nil
  }
}
