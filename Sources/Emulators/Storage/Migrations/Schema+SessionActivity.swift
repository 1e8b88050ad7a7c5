extension Schema.Migration {
  /// The browser or app that used a session last.
  static let sessionActivity = Self(
    name: "session activity",
    sql: "ALTER TABLE session ADD COLUMN activity TEXT"
  )
}
