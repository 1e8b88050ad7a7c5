/// The static files, as pages and style sheets may ask for them.
struct ServedFiles {
  /// The addresses of all.
  let paths: Set<String>

  /// Of other endings the site serves none.
  static let endings = [
    "css", "ico", "jpeg", "jpg", "js", "png", "svg", "txt", "webmanifest", "webp", "woff2",
  ]

  /// What is wrong with an address (R6).
  ///
  /// - Parameters:
  ///   - address: As it is written.
  ///   - asker: Who asks for it, for people.
  ///   - folder: The path of the asker's folder, where an address may be relative to that.
  /// - Returns: Nil for what is served, a picture in the address itself, and a part of the asker.
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

  /// That something is not served, and why that may be though there is a file.
  private static func absence(of path: String, writtenAs address: String) -> String {
    guard endings.contains(ending(of: path)) else {
      return "\(address) is not served: names end in \(endings.joined(separator: ", "))"
    }
    guard path.utf8.allSatisfy(isPlain) else {
      let signs = excluded.map { "\($0)" }.joined(separator: " ")
      return "\(address) is not served: names are ASCII without blanks and \(signs)"
    }
    return "there is no file \(address)"
  }

  /// How the name at the end of a path ends, in small letters and without its dot; empty where it does not.
  static func ending(of path: String) -> String {
    let name = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    return name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
  }

  /// What browsers write as something else in an address, or take for its end.
  static let excluded = "\"#%<>?\\^`{|}"

  /// Whether a byte of a file's path is the same in its address, and in every browser's.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !excluded.utf8.contains(byte)
  }

  /// The path of an address that a file of that folder asks for.
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
  /// Whether it begins with what names a protocol, such as `https:` (RFC 3986, section 3.1).
  var hasScheme: Bool { starts(with: #/[A-Za-z][A-Za-z0-9+.\-]*:/#) }
}
