extension String {
  /// Its words in small letters, of the letters and digits of ASCII: what files and functions can be named by anywhere.
  package var asciiWords: [String] {
    lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}
