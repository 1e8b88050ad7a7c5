extension Schema.Migration {
  /// Columns that the exact resources of users and sessions need.
  static let exactResources = Self(
    name: "exact resources",
    sql: """
      ALTER TABLE "account" ADD COLUMN "lastActiveAt" INTEGER;

      ALTER TABLE "account" ADD COLUMN "mfaEnabledAt" INTEGER;

      ALTER TABLE "account" ADD COLUMN "mfaDisabledAt" INTEGER;

      ALTER TABLE "account" ADD COLUMN "totpCreatedAt" INTEGER;

      ALTER TABLE "contact" ADD COLUMN "verification" TEXT;

      ALTER TABLE "session" ADD COLUMN "isPersonal" BOOLEAN NOT NULL DEFAULT 0;
      """
  )
}
