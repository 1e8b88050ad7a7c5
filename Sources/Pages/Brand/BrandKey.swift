extension Brand {
  /// A key of a brand: a member of its file, and a field of the form that edits one.
  public enum Key: Hashable, Sendable, CaseIterable {
    case name, radius, support, terms, privacyPolicy
    case file(Asset)
    case color(Scheme, Role)

    /// In the order of a brand file.
    public static let allCases: [Key] =
      [.name] + [.file(.logo), .file(.logoDark), .file(.icon)]
      + Scheme.allCases.flatMap { scheme in Role.allCases.map { .color(scheme, $0) } }
      + [.radius, .file(.font), .file(.background), .support, .terms, .privacyPolicy]

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// `colors.accent` for the member `accent` of the member `colors`.
    public var name: String {
      switch self {
      case .name: "name"
      case .radius: "radius"
      case .support: "support"
      case .terms: "terms_url"
      case .privacyPolicy: "privacy_policy_url"
      case .file(let asset): asset.rawValue
      case .color(let scheme, let role): "\(scheme.rawValue).\(role.rawValue)"
      }
    }

    /// What is expected of its value, as a sentence goes on with it.
    public var expectation: String {
      switch self {
      case .name: "a text of 1 to \(Brand.nameLimit) characters in one line"
      case .radius:
        "a whole number from \(Brand.radiusRange.lowerBound) to \(Brand.radiusRange.upperBound)"
      case .support: "an email address or a web address"
      case .terms, .privacyPolicy: "an address that begins with https:// or http://"
      case .color: "a colour like #0b6e4f"
      case .file(let asset):
        "the name of a file that ends in \(asset.kinds.map { ".\($0.rawValue)" }.alternatives)"
      }
    }

    /// The expected value in view of what was given: if a file's extension is right, its path is
    /// wrong.
    func expectation(insteadOf text: String?) -> String {
      guard case .file(let asset) = self, let kind = text.flatMap(asset.kind(ofFileCalled:)) else {
        return expectation
      }
      let example = "images/\(asset.rawValue).\(kind.rawValue)"
      return "a path below the folder of the brand's file, such as \(example), in which no part is "
        + "empty or begins with a dot,"
    }
  }

  /// In characters.
  static let nameLimit = 60

  /// The value of a key, as it would be typed; nil if it has none.
  public func text(at key: Key) -> String? {
    switch key {
    case .name: name
    case .radius: radius.map(String.init)
    case .support: support
    case .terms: terms
    case .privacyPolicy: privacyPolicy
    case .file(let asset): files[asset]?.path
    case .color(let scheme, let role): self[scheme][role]?.description
    }
  }

  /// Sets the value of a key from typed text.
  ///
  /// - Returns: Whether it can be that; where not, nothing has changed.
  mutating func take(_ text: String, at key: Key) -> Bool {
    switch key {
    case .name:
      guard (1...Self.nameLimit).contains(text.count), !text.allSatisfy(\.isWhitespace),
        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { return false }
      name = text
    case .radius:
      guard let number = Int(text), Self.radiusRange.contains(number) else { return false }
      radius = number
    case .support:
      guard Link.help(at: text) != nil else { return false }
      support = text
    case .terms:
      guard let address = Link.webAddress(text) else { return false }
      terms = address
    case .privacyPolicy:
      guard let address = Link.webAddress(text) else { return false }
      privacyPolicy = address
    case .file(let asset):
      guard let file = AssetFile(text, as: asset) else { return false }
      files[asset] = file
    case .color(let scheme, let role):
      guard let color = Color(text) else { return false }
      self[scheme][role] = color
    }
    return true
  }
}

extension [String] {
  /// One or another: `.svg, .png or .ico`.
  fileprivate var alternatives: String {
    count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) or \(self[count - 1])"
  }
}
