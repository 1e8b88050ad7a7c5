internal import Pages

extension Brand.Key {
  /// Its label on the page.
  var label: String {
    switch self {
    case .name: "Name"
    case .radius: "Rounding of corners, in pixels"
    case .support: "Address of support"
    case .terms: "Address of the terms"
    case .privacyPolicy: "Address of the privacy policy"
    case .file(let asset): asset.label
    case .color(.light, let role): role.label
    case .color(.dark, let role): "\(role.label), in dark"
    }
  }

  /// The expected value, except for colours, where it is obvious; and the key's name in the file.
  var hint: String {
    switch self {
    case .color: "\(name) in the file."
    case .name, .radius, .support, .terms, .privacyPolicy, .file:
      "\(expectation.prefix(1).uppercased())\(expectation.dropFirst()); \(name) in the file."
    }
  }
}

extension Brand.Asset {
  fileprivate var label: String {
    switch self {
    case .logo: "Logo"
    case .logoDark: "Logo on dark pages"
    case .icon: "Icon"
    case .font: "Font"
    case .background: "Picture in the background"
    }
  }
}

extension Brand.Role {
  fileprivate var label: String {
    switch self {
    case .accent: "Buttons and links"
    case .accentText: "Words on buttons"
    case .page: "Ground of the page"
    case .card: "Ground of the card"
    case .text: "Words"
    }
  }
}
