internal import HTTPExchange
internal import Locking

/// The source of codes, tokens, salts and identifiers.
public struct RandomSource: Sendable {
  private let next: @Sendable () -> UInt64

  /// - Parameter next: Gives 64 fresh bits on every call, from any thread.
  public init(_ next: @escaping @Sendable () -> UInt64) {
    self.next = next
  }

  /// The machine's cryptographically secure generator.
  public static let system = Self {
    systemRandomBytes(MemoryLayout<UInt64>.size)
      .withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  /// A source that gives the same values in every run, for tests only (SplitMix64).
  public static func seeded(_ seed: UInt64) -> Self {
    let state = Locked(seed)
    return Self {
      state.withLock { state in
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
      }
    }
  }
}

extension RandomSource {
  func bytes(count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count { withUnsafeBytes(of: next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
  }

  /// A one-time code of that many decimal digits, each equally likely.
  func code(digitCount: Int) -> String {
    pick(count: digitCount, from: Self.digits)
  }

  /// An identifier in the API's format: `prefix_`, then 27 letters and digits.
  func identifier(_ prefix: String) -> String {
    "\(prefix)_\(pick(count: 27, from: Self.alphanumerics))"
  }

  /// The identifier by which one failed request can be found again: 32 hexadecimal digits.
  public func traceID() -> String {
    pick(count: 32, from: Self.hexadecimals)
  }

  /// 256 random bits for a client token, 43 characters.
  func secret() -> String {
    pick(count: 43, from: Self.alphanumerics + [UInt8(ascii: "-"), UInt8(ascii: "_")])
  }

  /// A random GUID in lower case (RFC 9562, version 4).
  func guid() -> String {
    GUID.text(of: UInt128(next()) << 64 | UInt128(next()), version: 4)
  }

  func pick(count: Int, from alphabet: [UInt8]) -> String {
    // Each character takes just enough bits, and values beyond the alphabet are skipped: all
    // characters are equally likely.
    let width = Int.bitWidth - max(1, alphabet.count - 1).leadingZeroBitCount
    var picked: [UInt8] = []
    picked.reserveCapacity(count)
    var word: UInt64 = 0
    var bitCount = 0
    while picked.count < count {
      if bitCount < width { (word, bitCount) = (next(), UInt64.bitWidth) }
      let index = Int(word & (1 << UInt64(width) - 1))
      (word, bitCount) = (word >> UInt64(width), bitCount - width)
      if index < alphabet.count { picked.append(alphabet[index]) }
    }
    return String(decoding: picked, as: UTF8.self)
  }

  private static let digits = Array("0123456789".utf8)
  private static let hexadecimals = Array("0123456789abcdef".utf8)
  private static let alphanumerics = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )
}
