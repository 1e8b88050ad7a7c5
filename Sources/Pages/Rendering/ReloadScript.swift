import Assets

/// The script that opens a page anew when files change, on pages that are made while they are watched.
enum ReloadScript {
  /// The element, for a page that was made when the files were so.
  static func element(_ version: FileVersion) -> [UInt8] {
    Array(#"<script src="/public/reload.js" data-version="\#(version)" defer></script>"#.utf8)
  }
}

extension Still {
  /// Puts the script at the end of the body: whatever a template looks like, it is watched.
  mutating func append(reloadingAfter version: FileVersion) {
    insert(ReloadScript.element(version), beforeLast: Array("</body>".utf8))
  }
}
