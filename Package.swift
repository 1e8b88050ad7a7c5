// swift-tools-version: 6.2
import PackageDescription

/// One room: a target and exactly what it may import.
///
/// The rooms and the imports that they forbid are explained in the article `Rooms.md` of the room Vestibule.
struct Room {
  var name: String
  var rooms: [String] = []
  /// The rooms that it runs as programs: built along with it, not before it.
  var programs: [String] = []
  var products: [Product] = []
  var kind = Kind.library

  enum Kind {
    case library, executable, test
    /// Code that libFuzzer calls, built only if asked for by name, since its `main` is in libFuzzer's library.
    case fuzzer
    /// C code of this package.
    case embeddedC
    /// Code that tests share: under Tests, and in no product.
    case testSupport
    /// A system library, by its name in pkg-config, if it has one, and its Debian package.
    case systemLibrary(pkgConfig: String?, debian: String)
  }

  struct Product {
    var name: String
    var package: String
    static let httpTypes = Product(name: "HTTPTypes", package: "swift-http-types")
    static let grdb = Product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite = Product(name: "GRDBSQLite", package: "GRDB.swift")
    static let crypto = Product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = Product(name: "CryptoExtras", package: "swift-crypto")
    static let jwtKit = Product(name: "JWTKit", package: "jwt-kit")
    static let x509 = Product(name: "X509", package: "swift-certificates")
    static let asn1 = Product(name: "SwiftASN1", package: "swift-asn1")
    static let logging = Product(name: "Logging", package: "swift-log")
    static let argumentParser = Product(name: "ArgumentParser", package: "swift-argument-parser")
  }
}

/// Whether jemalloc replaces the C library's allocator.
///
/// The sanitizers bring an allocator of their own, which can free only what it has allocated: `make sanitize`
/// sets `VESTIBULE_ALLOCATOR=system`.
let hasOwnAllocator = Context.environment["VESTIBULE_ALLOCATOR"] != "system"

let allRooms: [Room] = [
  Room(name: "Masking"),
  Room(name: "AuthFlow", rooms: ["Masking"]),
  Room(name: "ErrorCodes"),
  Room(name: "Metrics"),
  Room(name: "Locking"),
  Room(name: "Spelling"),
  Room(name: "Localization", rooms: ["Assets", "Locking", "Spelling"]),
  Room(name: "HTTPExchange", rooms: ["Locking"], products: [.httpTypes]),
  Room(
    name: "CCurl",
    // Only its headers: the library is opened when it is needed, so pkg-config must not link it.
    kind: .systemLibrary(pkgConfig: nil, debian: "libcurl4-gnutls-dev")
  ),
  Room(
    name: "HTTPClientTransport",
    rooms: ["HTTPExchange", "CCurl", "Locking"],
    products: [.httpTypes, .crypto]
  ),
  Room(
    name: "AuthAPIClient",
    rooms: ["AuthFlow", "HTTPExchange"],
    products: [.httpTypes, .crypto]
  ),
  Room(
    name: "ClerkFrontendAPI",
    rooms: ["AuthFlow", "HTTPExchange", "AuthAPIClient", "Locking"],
    products: [.httpTypes]
  ),
  Room(
    name: "EntraNativeAuth",
    rooms: ["AuthFlow", "HTTPExchange", "AuthAPIClient"],
    products: [.httpTypes, .crypto, .jwtKit]
  ),
  Room(
    name: "Emulators",
    rooms: ["HTTPExchange", "Localization", "Locking", "Masking", "Spelling"],
    products: [.httpTypes, .grdb, .grdbSQLite, .crypto, .cryptoExtras]
  ),
  Room(
    name: "CQREncode",
    kind: .systemLibrary(pkgConfig: "libqrencode", debian: "libqrencode-dev")
  ),
  Room(name: "CAssets", kind: .embeddedC),
  Room(name: "CBuild", kind: .embeddedC),
  Room(name: "Assets", rooms: ["CAssets"]),
  Room(
    name: "Pages",
    rooms: ["AuthFlow", "Assets", "Localization", "CQREncode", "Locking", "Spelling"]
  ),
  Room(
    name: "Site",
    rooms: ["AuthFlow", "HTTPExchange", "Assets", "Localization", "Pages", "Locking"],
    products: [.httpTypes, .crypto, .logging]
  ),
  Room(
    name: "Backstage",
    rooms: [
      "Emulators", "Pages", "AuthFlow", "HTTPExchange", "ErrorCodes", "Localization", "Headless",
      "Locking",
    ],
    products: [.httpTypes]
  ),
  Room(
    name: "CMicroHTTPD",
    kind: .systemLibrary(pkgConfig: "libmicrohttpd", debian: "libmicrohttpd-dev")
  ),
  Room(
    name: "MicroHTTPServer",
    rooms: ["HTTPExchange", "CMicroHTTPD", "Locking"],
    products: [.httpTypes]
  ),
  Room(
    name: "Vestibule",
    rooms: [
      "AuthFlow", "HTTPExchange", "HTTPClientTransport", "ClerkFrontendAPI",
      "EntraNativeAuth", "Emulators", "Assets", "Localization", "Pages", "Site", "Backstage",
      "Headless", "Metrics", "MicroHTTPServer", "CBuild", "Locking",
    ],
    products: [.httpTypes, .crypto, .logging, .x509, .asn1]
  ),
  Room(
    name: "Headless",
    rooms: ["AuthFlow", "HTTPExchange", "Assets", "Spelling"],
    products: [.httpTypes]
  ),
  Room(
    name: "VestibuleTesting",
    rooms: [
      "Vestibule", "Headless", "HTTPExchange", "HTTPClientTransport", "AuthFlow", "Emulators",
      "Locking",
    ],
    products: [.httpTypes, .logging]
  ),
  // jemalloc's start-up options. They are in C, since jemalloc reads them before any Swift code runs.
  Room(name: "CMemory", kind: .embeddedC),
  Room(
    name: "CJemalloc",
    kind: .systemLibrary(pkgConfig: "jemalloc", debian: "libjemalloc-dev")
  ),
  Room(
    name: "VestibuleCommand",
    rooms: ["Vestibule", "Headless", "HTTPExchange", "Locking", "CMemory"]
      + (hasOwnAllocator ? ["CJemalloc"] : []),
    products: [.argumentParser, .logging],
    kind: .executable
  ),

  Room(
    name: "TestSupport",
    rooms: ["AuthFlow", "HTTPExchange", "ErrorCodes", "Locking"],
    products: [.httpTypes, .logging],
    kind: .testSupport
  ),
  Room(name: "MaskingTests", rooms: ["Masking"], kind: .test),
  Room(name: "LocalizationTests", rooms: ["Localization", "Locking"], kind: .test),
  Room(name: "AuthFlowTests", rooms: ["AuthFlow", "TestSupport"], kind: .test),
  Room(
    name: "HTTPExchangeTests",
    rooms: ["HTTPExchange", "Locking"],
    products: [.httpTypes],
    kind: .test
  ),
  Room(
    name: "HTTPClientTransportTests",
    rooms: ["HTTPClientTransport", "HTTPExchange", "MicroHTTPServer", "TestSupport", "Locking"],
    products: [.httpTypes],
    kind: .test
  ),
  Room(
    name: "MicroHTTPServerTests",
    rooms: ["MicroHTTPServer", "HTTPExchange", "TestSupport", "Locking"],
    products: [.httpTypes],
    kind: .test
  ),
  Room(
    name: "AuthAPIClientTests",
    rooms: ["AuthAPIClient", "AuthFlow", "HTTPExchange"],
    products: [.httpTypes],
    kind: .test
  ),
  Room(
    name: "ClerkFrontendAPITests",
    rooms: [
      "ClerkFrontendAPI", "AuthAPIClient", "AuthFlow", "ErrorCodes", "HTTPExchange", "TestSupport",
      "Locking",
    ],
    products: [.httpTypes],
    kind: .test
  ),
  Room(
    name: "EntraNativeAuthTests",
    rooms: ["EntraNativeAuth", "AuthFlow", "HTTPExchange", "TestSupport", "Locking"],
    products: [.httpTypes, .jwtKit, .cryptoExtras],
    kind: .test
  ),
  Room(
    name: "EmulatorsTests",
    rooms: ["Emulators", "ErrorCodes", "HTTPExchange", "Localization", "TestSupport", "Locking"],
    products: [.httpTypes, .grdb, .grdbSQLite, .jwtKit, .crypto, .cryptoExtras],
    kind: .test
  ),
  Room(
    name: "BackstageTests",
    rooms: [
      "Backstage", "Emulators", "Assets", "Pages", "AuthFlow", "Headless", "HTTPExchange",
      "TestSupport", "Locking",
    ],
    products: [.httpTypes],
    kind: .test
  ),
  Room(name: "AssetsTests", rooms: ["Assets", "TestSupport"], kind: .test),
  Room(
    name: "PagesTests",
    rooms: ["Pages", "Assets", "AuthFlow", "Localization", "TestSupport", "Locking"],
    kind: .test
  ),
  Room(
    name: "SiteTests",
    rooms: [
      "Site", "Assets", "Localization", "Pages", "AuthFlow", "HTTPExchange", "TestSupport",
      "Locking",
    ],
    products: [.httpTypes, .crypto, .logging],
    kind: .test
  ),
  Room(
    name: "HeadlessTests",
    rooms: ["Headless", "AuthFlow", "HTTPExchange", "TestSupport"],
    products: [.httpTypes],
    kind: .test
  ),
  Room(name: "MetricsTests", rooms: ["Metrics"], kind: .test),
  Room(
    name: "VestibuleTests",
    rooms: [
      "Vestibule", "VestibuleCommand", "AuthAPIClient", "ClerkFrontendAPI", "Pages", "Site",
      "AuthFlow", "ErrorCodes", "HTTPExchange", "Localization", "Metrics", "MicroHTTPServer",
      "TestSupport", "Locking",
    ],
    products: [.httpTypes, .logging, .crypto, .argumentParser],
    kind: .test
  ),
  Room(
    name: "JourneyTests",
    rooms: [
      "VestibuleTesting", "Emulators", "Headless", "HTTPExchange", "HTTPClientTransport",
      "MicroHTTPServer", "Vestibule", "ErrorCodes", "TestSupport", "Locking",
    ],
    programs: ["VestibuleCommand"],
    products: [.httpTypes, .crypto, .logging],
    kind: .test
  ),
  Room(
    name: "Fuzzing",
    rooms: [
      "VestibuleTesting", "Vestibule", "HTTPExchange", "ClerkFrontendAPI", "EntraNativeAuth",
      "AuthFlow", "Emulators", "Pages", "Site",
    ],
    products: [.httpTypes],
    kind: .fuzzer
  ),
]

/// `VESTIBULE_ROOM=Pages swift test` builds and tests one room (or several, comma-separated) with
/// only what it imports, which takes seconds where the whole package takes minutes.
let chosen = Context.environment["VESTIBULE_ROOM"].map { $0.split(separator: ",").map(String.init) }
let byName = Dictionary(uniqueKeysWithValues: allRooms.map { ($0.name, $0) })

func reachable(from names: [String]) -> Set<String> {
  var seen: Set<String> = []
  var waiting = names
  while let name = waiting.popLast() {
    if seen.insert(name).inserted { waiting += byName[name].map { $0.rooms + $0.programs } ?? [] }
  }
  return seen
}

let wanted = chosen.map { reachable(from: $0 + $0.map { "\($0)Tests" }) }
let rooms = allRooms.filter { room in
  if let wanted { return wanted.contains(room.name) }
  if case .fuzzer = room.kind { return false }
  return true
}
let packages = Set(rooms.flatMap { $0.products.map(\.package) })

let dependencies: [(String, Package.Dependency)] = [
  (
    "swift-http-types",
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")
  ),
  ("GRDB.swift", .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")),
  ("swift-crypto", .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")),
  ("jwt-kit", .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1")),
  (
    "swift-certificates",
    .package(url: "https://github.com/apple/swift-certificates.git", from: "1.15.0")
  ),
  ("swift-asn1", .package(url: "https://github.com/apple/swift-asn1.git", from: "1.1.0")),
  ("swift-log", .package(url: "https://github.com/apple/swift-log", from: "1.16.2")),
  (
    "swift-argument-parser",
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ),
]

/// The commit that is built, for `vestibule --version`: only one small file is recompiled for each.
let commit: [CSetting] =
  Context.environment["VESTIBULE_COMMIT"].map { [.define("VESTIBULE_COMMIT", to: "\"\($0)\"")] }
  ?? []

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "vestibule",
  products: rooms.compactMap { room in
    switch room.name {
    case "VestibuleCommand": .executable(name: "vestibule", targets: [room.name])
    case "VestibuleTesting": .library(name: room.name, targets: [room.name])
    default: nil
    }
  },
  dependencies: dependencies.filter { packages.contains($0.0) }.map(\.1),
  targets: rooms.map { room in
    let imports: [Target.Dependency] =
      room.rooms.map { .target(name: $0) }
      + room.products.map { .product(name: $0.name, package: $0.package) }
    return switch room.kind {
    case .library:
      .target(name: room.name, dependencies: imports, swiftSettings: settings)
    case .embeddedC: .target(name: room.name, cSettings: room.name == "CBuild" ? commit : [])
    case .executable:
      .executableTarget(name: room.name, dependencies: imports, swiftSettings: settings)
    case .fuzzer:
      .executableTarget(
        name: room.name,
        dependencies: imports,
        path: "Tests/Fuzzing/Targets",
        swiftSettings: settings
      )
    case .testSupport:
      .target(
        name: room.name,
        dependencies: imports,
        path: "Tests/\(room.name)",
        swiftSettings: settings
      )
    case .test:
      .testTarget(name: room.name, dependencies: imports, swiftSettings: settings)
    case .systemLibrary(let pkgConfig, let debian):
      .systemLibrary(name: room.name, pkgConfig: pkgConfig, providers: [.apt([debian])])
    }
  }
)
