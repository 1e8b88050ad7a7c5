public import Emulators
public import HTTPClientTransport
public import HTTPExchange

/// Everything that a Vestibule is told before it starts.
public struct Configuration: Sendable {
  /// What is served.
  public enum Service: Sendable {
    case pages(at: Address, over: AuthAPI)
    case emulatorOnly(EmulatedAuthAPI, at: Address)
  }

  /// Where something is served; port 0 takes a free one.
  public struct Address: Sendable, Hashable {
    public var host: String
    public var port: Int

    public init(host: String = "127.0.0.1", port: Int) {
      self.host = host
      self.port = port
    }

    /// Whether only programs on this machine can reach it.
    public var isLoopback: Bool { Authority.isLoopback(host) }
  }

  /// PEM files.
  public struct TLSFiles: Sendable, Hashable {
    public var certificate: String
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  public var service = Service.pages(at: Address(port: 8080), over: .emulated(.clerk))
  /// Stands around the emulated API and sees every call to it: what tests listen in with.
  public var aroundEmulator: @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 }
  public var allowsNonLoopback = false
  /// The folder of the emulator's database and of the sealing key; nil writes nothing to disk.
  public var dataFolder: String? = ".vestibule"
  public var instance = InstanceSettings()
  /// The accounts of a fresh world; nil for the demo users of the emulated API.
  public var users: [AccountDescription]?
  /// Templates of one's own, which lie over the built-in ones file by file; nil where there are none.
  public var templates: String?
  /// The same of the static files.
  public var publicFolder: String?
  /// Whether both are read again when they change.
  public var reloadsTemplates = false
  /// Name, logo, colours and addresses that are not the built-in ones.
  public internal(set) var brand: InstalledBrand? {
    didSet {
      liveBrand = brand.flatMap { brand in brand.folder.file.map { LiveBrand(brand, of: $0) } }
    }
  }
  private var liveBrand: LiveBrand?
  /// Whether a refusal that we have words for is told in them, rather than in the auth API's.
  public var usesOwnWords = true
  /// The one language of the pages, by its tag; nil where each reader has their own.
  public var language: String?
  /// `scheme://host[:port]` as people type it; nil takes it from where the pages are served.
  public var publicURL: String?
  /// The same of the emulated API, where a proxy stands before its own port; its documents name it.
  public var emulatorPublicURL: String?
  /// Further names by which the pages may be asked.
  public var allowedHosts: [String] = []
  /// Proxies in front, whose word about a browser's address and scheme is taken (S7).
  public var trustedProxies: [IPAddress] = []
  /// Limits of our own (S21); nil has them where the auth API is not on this machine.
  public var throttle: Bool?
  /// Origins outside to which a finished sign-in may lead.
  public var redirectOrigins: [String] = []
  /// A file of sealing keys; nil keeps one in the data folder.
  public var keyFile: String?
  public var tls: TLSFiles?
  /// Where figures are told, beside what is served; nil where nothing is counted.
  public var metrics: Address?
  /// PEM files of authorities to trust besides the machine's own, for the auth API.
  public var trustedAuthorities: [String] = []
  /// A proxy on the way to an auth API beyond this machine; nil goes there directly.
  public var upstreamProxy: ProxyURL?

  public init() {}

  public var authAPI: AuthAPI {
    switch service {
    case .pages(_, let api): api
    case .emulatorOnly(let api, let address): .emulated(api, at: address)
    }
  }

  /// Where the pages are served; nil where only the emulator is.
  public var pages: Address? {
    switch service {
    case .pages(let address, _): address
    case .emulatorOnly: nil
    }
  }

  /// Where the emulated API is served over HTTP; nil where it is not.
  public var emulator: Address? {
    switch authAPI {
    case .emulated(_, let address): address
    case .remote: nil
    }
  }

  /// The brand where its files are read again when they change; nil where they are not.
  var watchedBrand: LiveBrand? { reloadsTemplates ? liveBrand : nil }

  /// Whether there are limits of our own.
  var hasThrottle: Bool { throttle ?? !authAPI.isOnLoopback }

  /// A proxy on the way to an auth API, as it is typed.
  ///
  /// - Throws: `StartFailure` when it is not `http://HOST:PORT`.
  public static func upstreamProxy(at address: String) throws(StartFailure) -> ProxyURL {
    do {
      return try ProxyURL(address)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// The address of a proxy as it is typed; nil where it is not a numeric one.
  public static func proxyAddress(_ text: String) -> IPAddress? { IPAddress(text) }
}

/// Why a Vestibule does not start: one line, and what a shell is told.
public struct StartFailure: Error, Sendable, CustomStringConvertible {
  public enum Kind: Int32, Sendable {
    /// What was typed on the command line is no value of that option (`EX_USAGE`).
    case usage = 64
    /// The port is taken, an address cannot be had, or a library is not there (`EX_UNAVAILABLE`).
    case unavailable = 69
    /// A file, a key or a combination of options is bad (`EX_CONFIG`).
    case configuration = 78
  }

  public var kind: Kind
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
