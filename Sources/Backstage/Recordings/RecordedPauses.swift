internal import Foundation

/// The pauses that a walk makes, besides the time that its steps take.
struct RecordedPauses: Sendable {
  /// The shortest pause between two steps that belongs to the walk, in seconds.
  private static let tellable: TimeInterval = 30
  /// How long an authenticator app shows a code (RFC 6238, section 4.1).
  private static let appCodeSeconds: Int64 = 30

  /// The seconds of all pauses so far.
  private var secondsTold: Int64 = 0
  /// For each app, the time step of the last code that was typed, and the seconds of all pauses
  /// until then.
  private var appCodes: [String: (step: Int64, told: Int64)] = [:]

  /// The pause between two steps.
  ///
  /// - Parameters:
  ///   - before: When the last step was taken, by the world's clock.
  ///   - now: When the next one is taken.
  ///   - available: When the next one became possible, if that is later than when the page was
  ///     shown.
  /// - Returns: Seconds; nil if there is no pause to record.
  mutating func pause(from before: Date, to now: Date, waitingFor available: Date?) -> Int64? {
    var seconds = now.timeIntervalSince(before).rounded(.down)
    let hasWaited = available.map { $0 > before && $0 <= now } ?? false
    guard seconds >= Self.tellable || hasWaited else { return nil }
    if hasWaited, let available {
      // When replayed, the step follows the page at once, so the pause has to be the whole wait.
      seconds = max(seconds, available.timeIntervalSince(before).rounded(.up) + 1)
    }
    return seconds > 0 ? told(Int64(seconds)) : nil
  }

  /// The pause before a code of an authenticator app is typed.
  ///
  /// An app's code is accepted once, so if a new one was typed here, enough time must pass for a
  /// new one when the walk is replayed.
  ///
  /// - Parameters:
  ///   - identifier: The account with the app.
  ///   - now: When the code is typed, by the world's clock.
  /// - Returns: Seconds; nil if there is no pause to record.
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
