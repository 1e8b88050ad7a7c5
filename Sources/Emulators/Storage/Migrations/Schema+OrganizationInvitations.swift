extension Schema.Migration {
  /// When an invitation was revoked, and which address of an account one was sent to.
  ///
  /// Revoked invitations were deleted before. A revoked address may be invited again.
  static let organizationInvitations = Self(
    name: "organization invitations",
    sql: """
      ALTER TABLE organizationInvitee RENAME TO formerInvitee;

      DROP INDEX organizationInvitee_on_organizationID;

      CREATE TABLE organizationInvitee (id TEXT PRIMARY KEY NOT NULL,
        organizationID TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
        emailAddress TEXT NOT NULL, role TEXT NOT NULL, createdAt INTEGER NOT NULL,
        revokedAt INTEGER);

      INSERT INTO organizationInvitee
      SELECT id, organizationID, emailAddress, role, createdAt, NULL FROM formerInvitee
      ORDER BY rowid;

      DROP TABLE formerInvitee;

      CREATE INDEX organizationInvitee_on_organizationID ON organizationInvitee(organizationID);

      CREATE UNIQUE INDEX organizationInvitee_waiting
        ON organizationInvitee(emailAddress, organizationID) WHERE revokedAt IS NULL;

      ALTER TABLE organizationOffer ADD COLUMN emailAddress TEXT;
      """
  )
}
