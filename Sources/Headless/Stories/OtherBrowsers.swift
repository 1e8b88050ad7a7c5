/// The browsers of a story besides the first, such as the phone of the same person.
public actor OtherBrowsers {
  private var sessions: [String: FormSession] = [:]

  public init() {}

  /// Whether the browser of that name has been asked for.
  public func has(_ name: String) -> Bool { sessions[name] != nil }

  /// The browser of that name, which is a new one the first time.
  ///
  /// It shares the pages and the world of the story's first browser.
  func browser(_ name: String, like first: FormSession) -> FormSession {
    if let session = sessions[name] { return session }
    let session = first.another()
    sessions[name] = session
    return session
  }
}
