extension String {
  /// The tags and character references of HTML in a text without markup that are surely a mistake: a
  /// text may well mention `<name>`.
  package var htmlSigns: [Substring] {
    // Few texts have any, and a pattern is slow.
    guard utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return []
    }
    return (matches(of: Self.tags) + matches(of: Self.references)).map(\.output)
  }

  /// Tags of inline and block elements, except those whose names are words, such as `<address>`.
  private static var tags: Regex<Substring> {
    #/
    <\/?
    (?:
      a|abbr|b|bdi|bdo|big|br|center|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span|strong|su[bp]
      |t[dhr]|table|u|ul|wbr
    )
    (?:\s+[a-z\-]+\s*=[^<>]*)?\s*\/?>
    /#
    .ignoresCase()
  }

  /// The references that people write by hand.
  private static var references: Regex<Substring> {
    #/
    &
    (?:
      \#[0-9]+|\#x[0-9a-f]+|amp|lt|gt|quot|apos|nbsp|shy|copy|reg|trade|hellip|euro|szlig
      |[mn]dash|[lr][sd]quo|[lr]aquo|[a-z](?:acute|cedil|circ|grave|tilde|uml)
    )
    ;
    /#
    .ignoresCase()
  }
}
