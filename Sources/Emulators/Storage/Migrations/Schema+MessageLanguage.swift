extension Schema.Migration {
  /// In which language a message is; nothing is known of those before.
  static let messageLanguage = Self(
    name: "message language",
    sql: """
      ALTER TABLE message ADD COLUMN language TEXT;
      """
  )
}
