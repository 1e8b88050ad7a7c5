extension Schema.Migration {
  /// The accounts with their contacts and lockouts, the attempts and sessions of Clerk's API.
  static let accounts = Self(
    name: "1",
    sql: """
      CREATE TABLE "account" ("id" TEXT PRIMARY KEY NOT NULL, "firstName" TEXT,
        "lastName" TEXT, "password" TEXT, "totpSecret" TEXT, "passwordState" TEXT NOT NULL,
        "totpUsedSteps" TEXT NOT NULL, "backupCodes" TEXT NOT NULL,
        "organizations" TEXT NOT NULL, "tasks" TEXT NOT NULL, "entra" TEXT NOT NULL,
        "unsafeMetadata" TEXT NOT NULL, "hasEmailSecondFactor" BOOLEAN NOT NULL,
        "needsClientTrust" BOOLEAN NOT NULL, "isBanned" BOOLEAN NOT NULL,
        "isEnterprise" BOOLEAN NOT NULL, "usesEmailLink" BOOLEAN NOT NULL,
        "passwordUpdatedAt" INTEGER, "lastSignInAt" INTEGER, "legalAcceptedAt" INTEGER,
        "createdAt" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL);

      CREATE TABLE "contact" ("id" TEXT PRIMARY KEY NOT NULL,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        "kind" TEXT NOT NULL, "value" TEXT NOT NULL, "isPrimary" BOOLEAN NOT NULL,
        "isSecondFactor" BOOLEAN NOT NULL, "isDefaultSecondFactor" BOOLEAN NOT NULL,
        "createdAt" INTEGER NOT NULL, "position" INTEGER NOT NULL, UNIQUE ("kind", "value"));

      CREATE INDEX "contact_on_accountID" ON "contact"("accountID");

      CREATE TABLE "lockout" ("subject" TEXT PRIMARY KEY NOT NULL,
        "failureCount" INTEGER NOT NULL, "isLocked" BOOLEAN NOT NULL, "lockedUntil" INTEGER);

      CREATE TABLE "message" ("sequence" INTEGER PRIMARY KEY AUTOINCREMENT, "id" TEXT NOT NULL,
        "to" TEXT NOT NULL, "channel" TEXT NOT NULL, "purpose" TEXT NOT NULL,
        "text" TEXT NOT NULL, "code" TEXT, "link" TEXT, "subject" TEXT,
        "sent" BOOLEAN NOT NULL, "createdAt" INTEGER NOT NULL);

      CREATE TABLE "client" ("id" TEXT PRIMARY KEY NOT NULL, "tokenHash" BLOB NOT NULL UNIQUE,
        "signInID" TEXT, "signUpID" TEXT, "lastActiveSessionID" TEXT, "lastStrategy" TEXT,
        "createdAt" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL);

      CREATE TABLE "device" ("clientID" TEXT NOT NULL REFERENCES "client"("id") ON DELETE
        CASCADE, "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE,
        PRIMARY KEY ("clientID", "accountID"));

      CREATE TABLE "session" ("id" TEXT PRIMARY KEY NOT NULL,
        "clientID" TEXT NOT NULL REFERENCES "client"("id") ON DELETE CASCADE,
        "accountID" TEXT NOT NULL REFERENCES "account"("id") ON DELETE CASCADE, "ending" TEXT,
        "organizationID" TEXT, "createdAt" INTEGER NOT NULL, "updatedAt" INTEGER NOT NULL,
        "expireAt" INTEGER NOT NULL, "abandonAt" INTEGER NOT NULL,
        "lastActiveAt" INTEGER NOT NULL, "firstFactorAt" INTEGER, "secondFactorAt" INTEGER);

      CREATE INDEX "session_on_clientID" ON "session"("clientID");

      CREATE INDEX "session_on_accountID" ON "session"("accountID");

      CREATE TABLE "signIn" ("id" TEXT PRIMARY KEY NOT NULL,
        "clientID" TEXT NOT NULL REFERENCES "client"("id") ON DELETE CASCADE,
        "createdAt" INTEGER NOT NULL, "abandonAt" INTEGER NOT NULL, "state" TEXT NOT NULL);

      CREATE INDEX "signIn_on_clientID" ON "signIn"("clientID");

      CREATE TABLE "signUp" ("id" TEXT PRIMARY KEY NOT NULL,
        "clientID" TEXT NOT NULL REFERENCES "client"("id") ON DELETE CASCADE,
        "createdAt" INTEGER NOT NULL, "abandonAt" INTEGER NOT NULL, "state" TEXT NOT NULL);

      CREATE INDEX "signUp_on_clientID" ON "signUp"("clientID");

      CREATE TABLE "signingKey" ("id" TEXT PRIMARY KEY NOT NULL, "pem" TEXT NOT NULL);

      CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);
      """
  )
}
