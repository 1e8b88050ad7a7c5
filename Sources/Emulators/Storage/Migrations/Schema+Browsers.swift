extension Schema.Migration {
  /// Browsers that call from another domain, and step-ups.
  static let browsers = Self(
    name: "browsers",
    sql: """
      CREATE TABLE "developmentBrowser" ("tokenHash" BLOB PRIMARY KEY NOT NULL,
        "clientID" TEXT REFERENCES "client"("id") ON DELETE SET NULL,
        "createdAt" INTEGER NOT NULL);

      CREATE INDEX "developmentBrowser_on_clientID" ON "developmentBrowser"("clientID");

      CREATE TABLE "reverification" ("sessionID" TEXT PRIMARY KEY NOT NULL REFERENCES
        "session"("id") ON DELETE CASCADE, "state" TEXT NOT NULL);
      """
  )
}
