internal import Foundation

/// How much time a walk is told to take, beside what its steps take.
struct RecordedPauses: Sendable {
  /// Half a minute between two steps is part of the walk.
  private static let tellable: TimeInterval = 30
  /// How long an authenticator app shows a code (RFC 6238, section 4.1).
  private static let appCodeSeconds: Int64 = 30

  /// How much time has been told to pass.
  private var secondsTold: Int64 = 0
  /// The time step of the last code that each app has shown, and how much time had passed until then.
  private var appCodes: [String: (step: Int64, told: Int64)] = [:]

  /// The pause between two steps.
  ///
  /// - Parameters:
  ///   - before: When the last step was taken, by the world's clock.
  ///   - now: When the next one is.
  ///   - available: When it may be, where that is later than the page was shown.
  /// - Returns: Seconds; nil where there is nothing to tell.
  mutating func pause(from before: Date, to now: Date, waitingFor available: Date?) -> Int64? {
    var seconds = now.timeIntervalSince(before).rounded(.down)
    let hasWaited = available.map { $0 > before && $0 <= now } ?? false
    guard seconds >= Self.tellable || hasWaited else { return nil }
    if hasWaited, let available {
      // At once behind the page before: the whole of the wait.
      seconds = max(seconds, available.timeIntervalSince(before).rounded(.up) + 1)
    }
    return seconds > 0 ? told(Int64(seconds)) : nil
  }

  /// The pause before a code of an app is typed, which takes each code once: where the next one was
  /// another, as much time passes as makes it another again.
  ///
  /// - Parameters:
  ///   - identifier: Whose app it is.
  ///   - now: When it is typed, by the world's clock.
  /// - Returns: Seconds; nil where there is nothing to tell.
  mutating func pause(beforeCodeOf identifier: String, at now: Date) -> Int64? {
    let period = Self.appCodeSeconds
    let step = Int64((now.timeIntervalSince1970 / Double(period)).rounded(.down))
    defer { appCodes[identifier] = (step, secondsTold) }
    guard let last = appCodes[identifier], last.step < step, secondsTold - last.told < period else {
      return nil
    }
    return told(period)
  }

  private mutating func told(_ seconds: Int64) -> Int64 {
    secondsTold += seconds
    return seconds
  }
}
