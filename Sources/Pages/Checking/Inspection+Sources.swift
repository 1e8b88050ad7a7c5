/// What browsers load for a page, and where its forms lead.
extension Inspection {
  /// Nothing is inline, and nothing comes from elsewhere or is sent there (R6).
  var sources: [Finding] {
    html.all.flatMap { element -> [Finding] in
      var findings = inline(element)
      findings += element.loaded.compactMap { assets.complaint(about: $0, by: "<\(element.tag)>") }
      for target in [element["action"], element["formaction"]].compactMap(\.self)
      where target.leadsElsewhere {
        findings.append(
          Finding("R6", "a form leads to \(target), which is not a page of this site")
        )
      }
      return findings
    }
  }

  private func inline(_ element: HTML.Element) -> [Finding] {
    let attributes = element.attributes.keys.sorted()
    var findings = attributes.filter { $0 == "style" || $0.hasPrefix("on") }
      .map { Finding("R6", "<\(element.tag)> has \($0)") }
    if element.tag == "style" || element.tag == "script" && !element.text.isEmpty {
      findings.append(Finding("R6", "<\(element.tag)> is inline"))
    }
    for attribute in attributes
    where Self.addresses.contains(attribute) && element[attribute]?.isScript == true {
      findings.append(Finding("R6", "\(attribute) of <\(element.tag)> has javascript:"))
    }
    return findings
  }

  /// The attributes in which an address may be a script.
  private static let addresses: Set = [
    "action", "data", "formaction", "href", "src", "xlink:href",
  ]
}

extension HTML.Element {
  /// Elements whose `href` is a drawing to load rather than a link.
  private static let drawing: Set = ["use", "image", "feimage"]

  /// The addresses of everything that browsers load for the element.
  fileprivate var loaded: [String] {
    var loaded = ["src", "poster", "data"].compactMap { self[$0] }
    if tag == "link" || Self.drawing.contains(tag) {
      loaded += ["href", "xlink:href"].compactMap { self[$0] }
    }
    for choices in ["srcset", "imagesrcset"].compactMap({ self[$0] }) {
      loaded += Self.addresses(among: choices)
    }
    return loaded.filter { !$0.isScript }
  }

  /// The addresses of `a.png, b.png 2x`.
  ///
  /// Source: HTML Living Standard, "Parsing a srcset attribute".
  private static func addresses(among choices: String) -> [String] {
    var addresses: [String] = []
    var rest = choices[...]
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty else { return addresses }
      var address = rest.prefix { !$0.isWhitespace }
      rest = rest.dropFirst(address.count)
      // Unless the address ends in a comma, a descriptor such as `2x` follows.
      if !address.hasSuffix(",") { rest = rest.drop { $0 != "," } }
      while address.hasSuffix(",") { address.removeLast() }
      addresses.append(String(address))
    }
  }
}

extension String {
  /// Whether it is a script rather than an address: browsers pass over blanks in it.
  fileprivate var isScript: Bool {
    filter { !$0.isWhitespace }.lowercased().hasPrefix("javascript:")
  }

  fileprivate var leadsElsewhere: Bool { hasPrefix("//") || (hasScheme && !isScript) }
}
