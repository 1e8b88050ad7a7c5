extension Schema.Migration {
  /// The invitations to sign up.
  static let invitations = Self(
    name: "invitations",
    sql: """
      CREATE TABLE "invitation" ("id" TEXT PRIMARY KEY NOT NULL, "emailAddress" TEXT NOT NULL,
        "ticketHash" BLOB NOT NULL UNIQUE, "createdAt" INTEGER NOT NULL,
        "expireAt" INTEGER NOT NULL, "acceptedAt" INTEGER);
      """
  )
}
