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

  /// Where to serve something; port 0 takes a free one.
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
  /// Wraps the emulated API and sees every call to it; tests listen in with it.
  public var aroundEmulator: @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 }
  public var allowsNonLoopback = false
  /// The folder of the emulator's database and of the sealing key; nil writes nothing to disk.
  public var dataFolder: String? = ".vestibule"
  public var instance = InstanceSettings()
  /// The accounts of a fresh world; nil for the demo users of the emulated API.
  public var users: [AccountDescription]?
  /// A folder of templates that override the built-in ones file by file; nil if there is none.
  public var templates: String?
  /// The same for static files.
  public var publicFolder: String?
  /// Whether both are read again when they change.
  public var reloadsTemplates = false
  /// A name, logo, colours and addresses in place of the built-in ones.
  public internal(set) var brand: InstalledBrand? {
    didSet {
      liveBrand = brand.flatMap { brand in brand.folder.file.map { LiveBrand(brand, of: $0) } }
    }
  }
  private var liveBrand: LiveBrand?
  /// Whether a refusal that we have words for is shown in ours rather than in the auth API's.
  public var usesOwnWords = true
  /// The tag of the pages' single language; nil if each reader has their own.
  public var language: String?
  /// `scheme://host[:port]` as people type it; nil derives it from where the pages are served.
  public var publicURL: String?
  /// The same for the emulated API if its own port is behind a proxy; its documents name it.
  public var emulatorPublicURL: String?
  /// Additional host names that the pages answer to.
  public var allowedHosts: [String] = []
  /// The proxies in front that are trusted to report a browser's address and scheme (S7).
  public var trustedProxies: [IPAddress] = []
  /// Whether to have rate limits of our own (S21); nil has them unless the auth API is on this machine.
  public var throttle: Bool?
  /// External origins to which a finished sign-in may redirect.
  public var redirectOrigins: [String] = []
  /// A file of sealing keys; nil keeps one in the data folder.
  public var keyFile: String?
  public var tls: TLSFiles?
  /// Where to serve metrics, beside everything else; nil counts nothing.
  public var metrics: Address?
  /// PEM files of authorities to trust besides the machine's own, for the auth API.
  public var trustedAuthorities: [String] = []
  /// A proxy for calls to an auth API on another machine; nil connects directly.
  public var upstreamProxy: ProxyURL?

  public init() {}

  public var authAPI: AuthAPI {
    switch service {
    case .pages(_, let api): api
    case .emulatorOnly(let api, let address): .emulated(api, at: address)
    }
  }

  /// Where the pages are served; nil if only the emulator is.
  public var pages: Address? {
    switch service {
    case .pages(let address, _): address
    case .emulatorOnly: nil
    }
  }

  /// Where the emulated API is served over HTTP; nil if it is not.
  public var emulator: Address? {
    switch authAPI {
    case .emulated(_, let address): address
    case .remote: nil
    }
  }

  /// The brand if its files are read again when they change; nil if they are not.
  var watchedBrand: LiveBrand? { reloadsTemplates ? liveBrand : nil }

  /// Whether there are rate limits of our own.
  var hasThrottle: Bool { throttle ?? !authAPI.isOnLoopback }

  /// A note on a proxy that no call goes through.
  var proxyNotes: [String] {
    guard upstreamProxy != nil, authAPI.isOnLoopback else { return [] }
    let reason =
      authAPI.isEmulated
      ? "the auth API is emulated" : "an auth API on this machine is called directly"
    return ["--upstream-proxy has no effect: \(reason)"]
  }

  /// Reads the URL of a proxy for calls to an auth API.
  ///
  /// - Throws: `StartFailure` unless it is `http://HOST:PORT`.
  public static func upstreamProxy(at address: String) throws(StartFailure) -> ProxyURL {
    do {
      return try ProxyURL(address)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// The address of a proxy in front; nil unless it is numeric.
  public static func proxyAddress(_ text: String) -> IPAddress? { IPAddress(text) }
}

/// Why a Vestibule does not start: one line, and the exit code for a shell.
public struct StartFailure: Error, Sendable, CustomStringConvertible {
  public enum Kind: Int32, Sendable {
    /// The command line has a bad value for an option (`EX_USAGE`).
    case usage = 64
    /// A port is in use, an address is not available, or a library is missing (`EX_UNAVAILABLE`).
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
