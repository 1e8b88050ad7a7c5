extension Schema.Migration {
  /// The additional tables of Entra's API.
  static let entra = Self(
    name: "entra",
    sql: """
      CREATE TABLE "entraFlow" ("id" TEXT PRIMARY KEY NOT NULL,
        "tokenHash" BLOB NOT NULL UNIQUE, "clientID" TEXT NOT NULL,
        "createdAt" INTEGER NOT NULL, "expireAt" INTEGER NOT NULL, "state" TEXT NOT NULL);

      CREATE TABLE "entraSession" ("tokenHash" BLOB PRIMARY KEY NOT NULL, "id" TEXT NOT NULL,
        "clientID" TEXT NOT NULL, "scope" TEXT NOT NULL, "contexts" TEXT NOT NULL,
        "policies" TEXT NOT NULL, "accountID" TEXT NOT NULL,
        "hasSecondFactor" BOOLEAN NOT NULL, "passwordUpdatedAt" INTEGER,
        "createdAt" INTEGER NOT NULL, "expireAt" INTEGER NOT NULL);

      CREATE INDEX "entraSession_on_accountID" ON "entraSession"("accountID");

      CREATE TABLE "entraMethod" ("id" TEXT PRIMARY KEY NOT NULL,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        "channel" TEXT NOT NULL, "target" TEXT NOT NULL);

      CREATE INDEX "entraMethod_on_accountID" ON "entraMethod"("accountID");
      """
  )
}
