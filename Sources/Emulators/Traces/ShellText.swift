/// Text on its way into a line that a POSIX shell reads.
public enum ShellText {
  /// As it is where it has letters of ASCII alone, which mean nothing to a shell; else quoted.
  static func word(_ text: String) -> String {
    let isLetters = text.utf8.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & ~0x20)
    }
    return isLetters && !text.isEmpty ? text : quoted(text)
  }

  /// As one word that the shell takes as it is (POSIX.1-2024, Shell Command Language, 2.2.2).
  ///
  /// Byte by byte, so that no combining character hides a `'`, and the rest of the text is run.
  public static func quoted(_ text: String) -> String {
    var bytes = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += #"'\''"#.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes + [UInt8(ascii: "'")], as: UTF8.self)
  }
}
