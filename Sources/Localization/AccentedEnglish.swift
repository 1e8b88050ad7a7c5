extension MessageFormat {
  /// The message with its text accented and about a third longer; its placeholders stay as they
  /// are.
  var accented: MessageFormat { changingText(Self.accented) }

  private static func accented(_ text: String) -> String {
    var accented = ""
    for scalar in text.unicodeScalars {
      guard let letter = Self.accents[scalar] else {
        accented.unicodeScalars.append(scalar)
        continue
      }
      accented.append(letter)
      // Most languages take more room than English.
      if "aeiou".unicodeScalars.contains(scalar) { accented.append(letter) }
    }
    return accented
  }

  private static let accents: [Unicode.Scalar: Character] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
    )
  )
}
