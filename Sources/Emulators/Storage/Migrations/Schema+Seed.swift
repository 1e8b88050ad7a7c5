extension Schema.Migration {
  /// The mark by which a world's first accounts are recognised; older worlds have none.
  static let seed = Self(
    name: "seed",
    sql: """
      ALTER TABLE heartbeat ADD COLUMN seed TEXT;
      """
  )
}
