internal import Foundation

/// A file or folder that a configuration names, and why nothing comes of it.
enum NamedFile {
  /// Reads it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - name: What it is to whoever named it: `The key file`.
  /// - Returns: What is in it.
  /// - Throws: `StartFailure` with all of that and the system's reason.
  static func contents(of path: String, _ name: String) throws(StartFailure) -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw StartFailure(.configuration, "\(name) cannot be read: \(path)\(reason(of: error))")
    }
  }

  /// `: Permission denied`, or nothing where the system gave no reason.
  static func reason(of error: any Error) -> String {
    guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return "" }
    return ": \(String(cString: strerror(cause.code.rawValue)))"
  }
}
