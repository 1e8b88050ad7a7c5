// swift-tools-version: 6.2
import PackageDescription

// Tests of sign-in in a package of their own, as somebody else would write them.
let package = Package(
  name: "SignInTests",
  dependencies: [
    // Elsewhere: a checkout of Vestibule, or its `url` with a `branch`.
    .package(name: "vestibule", path: "../../..")
  ],
  targets: [
    .testTarget(
      name: "SignInTests",
      dependencies: [.product(name: "VestibuleTesting", package: "vestibule")],
      // One import is enough here, too.
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
    )
  ]
)
