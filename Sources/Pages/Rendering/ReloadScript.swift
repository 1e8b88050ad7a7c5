import Assets

/// The script that reloads a page when watched files change.
enum ReloadScript {
  /// The script element of a page that was rendered from that state of the files.
  static func element(_ version: FileVersion) -> [UInt8] {
    Array(#"<script src="/public/reload.js" data-version="\#(version)" defer></script>"#.utf8)
  }
}

extension Still {
  /// Inserts the script at the end of the body, so that it works with any template.
  mutating func append(reloadingAfter version: FileVersion) {
    insert(ReloadScript.element(version), beforeLast: Array("</body>".utf8))
  }
}
