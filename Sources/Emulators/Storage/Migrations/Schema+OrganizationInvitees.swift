extension Schema.Migration {
  /// Organizations' invitations to addresses without an account.
  static let organizationInvitees = Self(
    name: "organization invitees",
    sql: """
      CREATE TABLE organizationInvitee (id TEXT PRIMARY KEY NOT NULL,
        organizationID TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
        emailAddress TEXT NOT NULL, role TEXT NOT NULL, createdAt INTEGER NOT NULL,
        UNIQUE (emailAddress, organizationID));

      CREATE INDEX organizationInvitee_on_organizationID ON organizationInvitee(organizationID);
      """
  )
}
