public import AuthFlow

/// A walk through the pages, told step by step: people, settings, a clock, and a sentence for each
/// step.
///
/// Whether a person plays it in a browser or a program does, a story that goes as it is told is a
/// passed test. <doc:StoryFiles> describes its file.
public struct Story: Sendable {
  /// Its name in URLs: 1 to 32 of `a-z`, `0-9` and `-`.
  public internal(set) var name: String
  public internal(set) var title: String
  public internal(set) var summary: String
  /// The auth API whose emulator it needs; nil plays over any.
  public internal(set) var api: String?
  /// Its changes to the emulator's settings: an object, keyed as the settings are.
  public internal(set) var settings: JSONValue?
  /// The accounts that it adds to the demo users.
  public internal(set) var users: [JSONValue] = []
  /// When it begins by the world's clock, such as `2026-11-20T17:55:00Z`; nil begins now.
  public internal(set) var clock: String?
  /// Whether the world's clock stands still from the beginning on.
  public internal(set) var isClockFrozen = false
  /// The faults of calls to the auth API.
  public internal(set) var faults: [JSONValue] = []
  public internal(set) var steps: [Step]
  /// The file's own bytes, in UTF-8.
  public internal(set) var document: [UInt8]
}

extension Story {
  /// One event, and the sentence that tells it.
  public struct Step: Sendable {
    public internal(set) var say: String
    /// The name of the browser that takes it, 1 to 32 of `a-z`, `0-9` and `-`; nil is the story's
    /// first one, which has none.
    public internal(set) var browser: String?
    /// Nil if the sentence is all there is.
    public internal(set) var action: Action?
    public internal(set) var expectation = Expectation()
  }

  public enum Action: Sendable {
    /// The person opens a page.
    case open(Place)
    /// The person fills in a form of the current page; a nil form is the main one.
    case submit([String: Input], form: String?)
    /// The browser is brought to a state of the atlas; a nil state is the page's first.
    case stand(page: String, state: String?)
    case deed(Deed)
  }

  public enum Place: Sendable, Hashable {
    case path(String)
    /// The link in the newest message.
    case link(MessageFilter)
  }

  /// What is typed into a field.
  public enum Input: Sendable, Hashable {
    case text(String)
    /// The code in the newest message.
    case latest(MessageFilter)
    /// The current code of that account's authenticator app.
    case totp(String)
  }

  /// Selects messages by recipient and purpose.
  public struct MessageFilter: Sendable, Hashable {
    public internal(set) var to: String
    public internal(set) var purpose: String?
  }
}
