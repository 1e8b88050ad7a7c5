internal import HTTPExchange
internal import HTTPTypes
internal import Masking

/// The device that a session is used on, as far as its requests describe it.
///
/// Source: <doc:ClerkSessionsAndTasks>.
struct SessionActivity: Sendable, Hashable {
  var id: String
  var deviceType: String?
  var isMobile: Bool
  var browserName: String?
  var browserVersion: String?
  var address: String?

  /// Returns nil if the request does not describe its device.
  init?(_ device: CallingDevice, id: String) {
    guard device.userAgent != nil || device.type != nil else { return nil }
    let agent = Array((device.userAgent ?? "").utf8)[...]
    func holds(_ word: String) -> Bool { agent.firstRange(of: Array(word.utf8)) != nil }
    let product = Self.products.lazy.compactMap { product in
      agent.firstRange(of: Array(product.token.utf8)).map { token in
        (name: product.name, behind: agent[token.upperBound...])
      }
    }.first
    self.id = id
    deviceType = device.type ?? Self.systems.first(where: holds)
    isMobile = device.isMobile ?? ["Mobile", "iPhone", "Android"].contains(where: holds)
    browserName = product?.name
    browserVersion = product.map { product in
      String(decoding: product.behind.prefix { Self.versionLetters.contains($0) }, as: UTF8.self)
    }
    address = device.peerAddress
  }

  /// The most specific product first: Edge also calls itself Chrome, and Chrome calls itself Safari.
  private static let products: [(token: String, name: String)] = [
    ("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Version/", "Safari"),
  ]
  private static let versionLetters = Array("0123456789.".utf8)
  private static let systems = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"]

  var json: JSON {
    var json: JSON = [
      "object": "session_activity", "id": .string(id), "is_mobile": .bool(isMobile),
    ]
    json["device_type"] = deviceType.map(JSON.string)
    json["browser_name"] = browserName.map(JSON.string)
    json["browser_version"] = browserVersion.map(JSON.string)
    json["ip_address"] = address.map(JSON.string)
    return json
  }
}

/// A request's description of the device that it comes from.
struct CallingDevice: Sendable {
  var userAgent: String?
  /// An app's word for its device: `iPhone`, `ipad`.
  var type: String?
  var isMobile: Bool?
  var peerAddress: String?

  init(_ request: Request) {
    let fields = request.headerFields
    userAgent = fields.value(of: .userAgent).map { String($0.prefix(Self.lengthLimit)) }
    type = (fields.value(of: .deviceModel) ?? fields.value(of: .deviceType))
      .map { String($0.prefix(Self.lengthLimit)) }
    isMobile = fields.value(of: .mobile).map { $0 == "1" }
    peerAddress = request.peerAddress
  }

  private static let lengthLimit = 256
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  fileprivate static let deviceType = Self("X-Device-Type")!
  fileprivate static let deviceModel = Self("X-Device-Model")!
  fileprivate static let mobile = Self("X-Mobile")!
}
