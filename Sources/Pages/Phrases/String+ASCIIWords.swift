import Foundation

extension String {
  /// The words in lowercase, split at everything but ASCII letters and digits, for names of files
  /// and functions.
  ///
  /// A letter with a mark, such as `ü`, counts as the letter.
  package var asciiWords: [String] {
    let plain: String.UnicodeScalarView = decomposedStringWithCanonicalMapping.unicodeScalars
      .filter { $0.properties.generalCategory != .nonspacingMark }
    return String(plain).lowercased()
      .split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
