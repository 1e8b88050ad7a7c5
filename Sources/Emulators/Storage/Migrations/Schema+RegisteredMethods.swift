extension Schema.Migration {
  /// The contacts that an account has registered for Entra's second factor move into its `entra`.
  static let registeredMethods = Self(
    name: "registered methods",
    sql: """
      UPDATE account SET entra = json_set(entra, '$.methods', json((
        SELECT json_group_array(json_object('channel', channel, 'target', target)) FROM (
          SELECT channel, target FROM entraMethod WHERE accountID = account.id ORDER BY rowid
        )
      ))) WHERE id IN (SELECT accountID FROM entraMethod);

      DROP TABLE entraMethod;
      """
  )
}
