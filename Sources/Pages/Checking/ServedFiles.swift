import Assets

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
    guard let reason = obstacle(to: path) else { return "there is no file \(address)" }
    return "\(address) is not served: \(reason)"
  }

  /// Why no file of that path is ever served; nil if there is no reason in its name.
  static func obstacle(to path: String) -> String? {
    guard endings.contains(ending(of: path)) else {
      return "names end in \(endings.joined(separator: ", "))"
    }
    guard path.utf8.allSatisfy(isPlain) else {
      let signs = excluded.map { "\($0)" }.joined(separator: " ")
      return "names are ASCII without spaces and \(signs)"
    }
    return nil
  }

  /// The custom files that are never served, one line each: `public/a.ttf: is not served: names end
  /// in …`.
  ///
  /// - Throws: `TemplateFault` where the folder cannot be read.
  static func notes(on files: LayeredFiles) throws(TemplateFault) -> [String] {
    do {
      return try files.all().filter(\.isOwn).compactMap { file in
        obstacle(to: file.name).map { "\(file.place): is not served: \($0)" }
      }
    } catch {
      throw TemplateFault(error)
    }
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
