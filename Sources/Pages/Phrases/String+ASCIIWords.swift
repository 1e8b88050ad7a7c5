extension String {
  /// The words in lowercase, split at everything but ASCII letters and digits, for names of files
  /// and functions.
  package var asciiWords: [String] {
    lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
