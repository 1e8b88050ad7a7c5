public import AuthFlow

/// A walk through the pages that is told: people, settings, a clock, and steps with a sentence each.
///
/// Whatever plays it, a person in a browser or a program, a story that goes on as it is told is a
/// test that passed. The file that it is read from is described in <doc:StoryFiles>.
public struct Story: Sendable {
  /// What addresses call it: 1 to 32 of `a-z`, `0-9` and `-`.
  public internal(set) var name: String
  public internal(set) var title: String
  public internal(set) var summary: String
  /// The auth API whose emulator it needs; nil plays over any.
  public internal(set) var api: String?
  /// What it changes of the emulator's settings: an object with their names.
  public internal(set) var settings: JSONValue?
  /// The accounts that it adds to the demo users.
  public internal(set) var users: [JSONValue] = []
  /// When it begins by the world's clock, such as `2026-11-20T17:55:00Z`; nil begins now.
  public internal(set) var clock: String?
  /// What goes wrong with calls to the auth API.
  public internal(set) var faults: [JSONValue] = []
  public internal(set) var steps: [Step]
  /// The file's own bytes, in UTF-8.
  public internal(set) var document: [UInt8]
}

extension Story {
  /// One thing that happens, and the sentence that tells it.
  public struct Step: Sendable {
    public internal(set) var say: String
    /// Nil where it is only told.
    public internal(set) var action: Action?
    public internal(set) var expectation = Expectation()
  }

  public enum Action: Sendable {
    /// The person opens a page.
    case open(Place)
    /// The person fills in a form of the page at hand; nil is the main one.
    case submit([String: Input], form: String?)
    /// The browser is brought to a state of the atlas, to the first of its page where none is named.
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
    /// What the authenticator app of that account shows.
    case totp(String)
  }

  /// Which messages are meant.
  public struct MessageFilter: Sendable, Hashable {
    public internal(set) var to: String
    public internal(set) var purpose: String?
  }
}
