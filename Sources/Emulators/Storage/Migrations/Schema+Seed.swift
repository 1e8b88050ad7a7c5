extension Schema.Migration {
  /// By what the accounts are known again with which a world began; nothing is known of those before.
  static let seed = Self(
    name: "seed",
    sql: """
      ALTER TABLE heartbeat ADD COLUMN seed TEXT;
      """
  )
}
