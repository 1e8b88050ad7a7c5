/// The static files, as pages and style sheets may ask for them.
struct ServedFiles {
  /// The addresses of all.
  let paths: Set<String>

  /// The file extensions that the site serves.
  static let endings = [
    "css", "ico", "jpeg", "jpg", "js", "png", "svg", "txt", "webmanifest", "webp", "woff2",
  ]

  /// What is wrong with an address (R6).
  ///
  /// - Parameters:
  ///   - address: As it is written.
  ///   - asker: What loads it, for the message.
  ///   - folder: The path of the asker's folder, if addresses may be relative to it.
  /// - Returns: Nil for a file that is served, a `data:` picture, and a fragment of the asker
  ///   itself.
  func complaint(about address: String, by asker: String, in folder: String? = nil) -> Finding? {
    guard !address.hasPrefix("data:image/"), !address.hasPrefix("#") else { return nil }
    let written = String(address.prefix { $0 != "?" && $0 != "#" })
    let path = folder.map { Self.resolved(written, in: $0) } ?? written
    guard path.hasPrefix("/public/") else {
      let start = "\(address.prefix(80))\(address.count > 80 ? "…" : "")"
      return Finding("R6", "\(asker) asks for \(start), not below /public/")
    }
    return paths.contains(path) ? nil : Finding("R6", Self.absence(of: path, writtenAs: address))
  }

  /// Says that a path is not served, and why, even though a file may exist.
  private static func absence(of path: String, writtenAs address: String) -> String {
    guard endings.contains(ending(of: path)) else {
      return "\(address) is not served: names end in \(endings.joined(separator: ", "))"
    }
    guard path.utf8.allSatisfy(isPlain) else {
      let signs = excluded.map { "\($0)" }.joined(separator: " ")
      return "\(address) is not served: names are ASCII without spaces and \(signs)"
    }
    return "there is no file \(address)"
  }

  /// The extension of a path's last component, in lowercase and without the dot; empty if there is
  /// none.
  static func ending(of path: String) -> String {
    let name = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    return name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
  }

  /// ASCII characters that browsers percent-encode or rewrite in an address, or that end its path.
  static let excluded = "\"#%<>?\\^`{|}"

  /// Whether every browser keeps this byte of a file's path as it is in an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !excluded.utf8.contains(byte)
  }

  /// The path of an address, resolved relative to a folder.
  private static func resolved(_ address: String, in folder: String) -> String {
    guard !address.hasPrefix("/"), !address.hasScheme else { return address }
    var parts = folder.split(separator: "/")
    for part in address.split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}

extension String {
  /// Whether it begins with a scheme such as `https:` (RFC 3986, section 3.1).
  var hasScheme: Bool { starts(with: #/[A-Za-z][A-Za-z0-9+.\-]*:/#) }
}
