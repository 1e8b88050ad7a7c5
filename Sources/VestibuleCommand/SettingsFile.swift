import Foundation
import Vestibule

/// Files that settings are read from, or found in.
enum SettingsFile {
  /// - Throws: `StartFailure` that names the file, and the key or value that is bad.
  static func decoded<Value: Decodable>(
    _ path: String,
    _ what: String
  ) throws(StartFailure) -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StartFailure(.configuration, "The file of \(what) cannot be read: \(path)")
    }
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch let error as DecodingError {
      let reason = syntaxFault(of: data) ?? error.told
      throw StartFailure(.configuration, "The file of \(what) is not good: \(path): \(reason)")
    } catch {
      throw StartFailure(.configuration, "The file of \(what) is not good: \(path): \(error)")
    }
  }

  /// Where the text breaks off being JSON, which the decoder does not tell; nil where it is JSON.
  private static func syntaxFault(of data: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      let cause = (error as NSError).userInfo["NSDebugDescription"]
      return "it is not JSON\(cause.map { ": \($0)" } ?? "")"
    }
  }

  /// The folder of that name beside the program, then in the working directory.
  static func found(_ name: String) -> String {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    if let beside = program?.appendingPathComponent(name).path,
      FileManager.default.fileExists(atPath: beside)
    {
      return beside
    }
    return name
  }
}

extension DecodingError {
  /// One line, with the place in the document.
  fileprivate var told: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "it cannot be read"
    }
    let place = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".")
    return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
  }
}
