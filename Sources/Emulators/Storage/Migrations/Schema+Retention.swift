extension Schema.Migration {
  /// The times by which a world forgets, and an index of the devices of an account.
  static let retention = Self(
    name: "retention",
    sql: """
      ALTER TABLE lockout ADD COLUMN updatedAt INTEGER NOT NULL DEFAULT 0;

      UPDATE lockout SET updatedAt = CAST(strftime('%s', 'now') AS INTEGER) * 1000;

      CREATE INDEX lockout_on_updatedAt ON lockout(updatedAt);

      CREATE INDEX device_on_accountID ON device(accountID);

      CREATE INDEX client_on_updatedAt ON client(updatedAt);

      CREATE INDEX session_on_expireAt ON session(expireAt);

      CREATE INDEX signIn_on_abandonAt ON signIn(abandonAt);

      CREATE INDEX signUp_on_abandonAt ON signUp(abandonAt);

      CREATE INDEX developmentBrowser_on_createdAt ON developmentBrowser(createdAt);

      CREATE INDEX entraFlow_on_expireAt ON entraFlow(expireAt);

      CREATE INDEX entraSession_on_expireAt ON entraSession(expireAt);

      CREATE INDEX invitation_on_expireAt ON invitation(expireAt);
      """
  )
}
