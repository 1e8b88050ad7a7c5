extension Schema.Migration {
  /// From what browser or app a session was used last.
  static let sessionActivity = Self(
    name: "session activity",
    sql: "ALTER TABLE session ADD COLUMN activity TEXT"
  )
}
