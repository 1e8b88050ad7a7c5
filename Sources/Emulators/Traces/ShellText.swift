/// Quotes text for a command line of a POSIX shell.
public enum ShellText {
  /// The text unchanged if it has only ASCII letters, which mean nothing to a shell; otherwise
  /// quoted.
  static func word(_ text: String) -> String {
    let isLetters = text.utf8.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & ~0x20)
    }
    return isLetters && !text.isEmpty ? text : quoted(text)
  }

  /// The text as one quoted word (POSIX.1-2024, Shell Command Language, 2.2.2).
  ///
  /// It is read byte by byte: a combining character could hide a `'`, and the rest of the text
  /// would run.
  public static func quoted(_ text: String) -> String {
    var bytes = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += #"'\''"#.utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes + [UInt8(ascii: "'")], as: UTF8.self)
  }
}
