extension Schema.Migration {
  /// The data of session tasks; organizations move here from a column of the account.
  static let sessionTasks = Self(
    name: "session tasks",
    sql: """
      CREATE TABLE "organization" ("id" TEXT PRIMARY KEY NOT NULL, "slug" TEXT NOT NULL UNIQUE,
        "name" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL);

      CREATE TABLE "membership" ("id" TEXT PRIMARY KEY NOT NULL,
        "organizationID" TEXT NOT NULL REFERENCES "organization"("id") ON DELETE CASCADE,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        "role" TEXT NOT NULL, "createdAt" INTEGER NOT NULL, UNIQUE ("accountID",
        "organizationID"));

      CREATE INDEX "membership_on_organizationID" ON "membership"("organizationID");

      CREATE TABLE "organizationOffer" ("id" TEXT PRIMARY KEY NOT NULL, "kind" TEXT NOT NULL,
        "organizationID" TEXT NOT NULL REFERENCES "organization"("id") ON DELETE CASCADE,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        "role" TEXT NOT NULL, "status" TEXT NOT NULL, "createdAt" INTEGER NOT NULL,
        "updatedAt" INTEGER NOT NULL);

      CREATE INDEX "organizationOffer_on_organizationID" ON
        "organizationOffer"("organizationID");

      CREATE INDEX "organizationOffer_on_accountID" ON "organizationOffer"("accountID");

      INSERT INTO organization (id, slug, name, createdAt, updatedAt)
      SELECT 'org_' || substr(hex(randomblob(14)), 1, 27), kept.value ->> 'slug',
        kept.value ->> 'name', account.createdAt, account.createdAt
      FROM account, json_each(account.organizations) AS kept WHERE true
      ON CONFLICT (slug) DO UPDATE SET name = excluded.name;

      INSERT INTO membership (id, organizationID, accountID, role, createdAt)
      SELECT 'orgmem_' || substr(hex(randomblob(14)), 1, 27), organization.id, account.id,
        kept.value ->> 'role', account.createdAt
      FROM account,
        json_each(account.organizations) AS kept JOIN organization ON organization.slug =
        kept.value ->> 'slug';

      ALTER TABLE account DROP COLUMN organizations;

      ALTER TABLE "account" ADD COLUMN "pendingTOTPSecret" TEXT;

      CREATE TABLE "unverifiedContact" ("id" TEXT PRIMARY KEY NOT NULL,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        "kind" TEXT NOT NULL, "value" TEXT NOT NULL, "isSecondFactor" BOOLEAN NOT NULL,
        "verification" TEXT, "createdAt" INTEGER NOT NULL, UNIQUE ("accountID", "kind",
        "value"));
      """
  )
}
