extension Schema.Migration {
  /// The language of a message; unknown for older messages.
  static let messageLanguage = Self(
    name: "message language",
    sql: """
      ALTER TABLE message ADD COLUMN language TEXT;
      """
  )
}
