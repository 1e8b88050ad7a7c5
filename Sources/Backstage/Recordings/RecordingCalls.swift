internal import Emulators
internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Begins and ends recordings for browsers.
public struct Recorder: Sendable {
  static let title = "A recorded walk"

  let recordings: Recordings
  /// The names of the program's options that shape fresh worlds.
  let options: [String]
  private let endOfVisit: @Sendable (Request) -> [String: String]

  /// - Parameters:
  ///   - recordings: The store of the recordings.
  ///   - options: The program's options that shape fresh worlds, such as `--users`.
  ///   - endOfVisit: The `Set-Cookie` values that end the visit of a request, by cookie name.
  public init(
    _ recordings: Recordings,
    under options: [String] = [],
    endOfVisit: @escaping @Sendable (Request) -> [String: String]
  ) {
    self.recordings = recordings
    self.options = options
    self.endOfVisit = endOfVisit
  }

  /// Begins a recording.
  ///
  /// The walk starts as that of a browser without a visit.
  ///
  /// - Parameters:
  ///   - title: The title of the walk.
  ///   - following: How the browser is recognised from then on.
  ///   - world: The world to walk in.
  ///   - worlds: Provides a fresh world to compare with.
  ///   - request: The browser's request.
  /// - Returns: The id, and the `Set-Cookie` values for the browser.
  /// - Throws: `WorldsError`, or what SQLite reports.
  func begin(
    _ title: String,
    _ following: Recording.Following,
    in world: World,
    of worlds: Worlds,
    for request: Request
  ) async throws -> (id: String, cookies: [String]) {
    let id = try await recordings.begin(title, in: world, of: worlds, following: following)
    // curl 7.88 ignores the expiry of a cookie that another cookie follows. So the visit's main
    // cookie, without which its others mean nothing, comes last.
    return (id, [cookie(id, maximumAge: nil)] + endOfVisit(request).values.sorted(by: >))
  }

  /// The `Set-Cookie` value that makes a browser forget its recording.
  var forgetting: String { cookie("", maximumAge: .zero) }

  private func cookie(_ id: String, maximumAge: Duration?) -> String {
    SetCookie(name: recordings.cookieName, value: id, maximumAge: maximumAge).headerValue
  }
}

extension BackstageContext {
  private static let titleLimit = 100

  /// `POST recordings`.
  func beginRecording(_ call: BackstageCall) async throws -> Response {
    guard let recorder, let request else { throw BackstageRefusal.notFound }
    var title: String?
    if call.content.count > 0 {
      let body = try call.requiredBody()
      try body.refuseKeys(besides: ["title"])
      title = try body.text("title")
    }
    let isBare = request.headerFields[.cookie] == nil
    let (id, cookies) = try await recorder.begin(
      try Self.title(title),
      isBare ? .first : .cookie,
      in: world,
      of: worlds,
      for: request
    )
    var response = Response.json(["id": .string(id)])
    response.headerFields[values: .setCookie] = cookies
    return response
  }

  static func title(_ text: String?) throws(BackstageRefusal) -> String {
    let title = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard title.count <= titleLimit, !title.contains(where: \.isNewline) else {
      throw .invalid("'title' must be a line of up to 100 letters.", at: "title", "it is too long")
    }
    // Exported files have it in comments, where nothing may be other than it looks.
    guard title.unicodeScalars.allSatisfy(\.isSeenOrJoins) else {
      throw .invalid("'title' must not have control characters.", at: "title", "it has one")
    }
    return title.isEmpty ? Recorder.title : title
  }

  /// `GET recordings/ID.FORM`.
  func exportedRecording(_ name: String) throws -> Response {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let form = ExportForm(rawValue: parts[1]) else {
      let endings = ExportForm.allCases.map(\.rawValue).joined(separator: ", ")
      throw BackstageRefusal(.notFound, "A recording is exported as ID.FORM: \(endings).")
    }
    guard let recorder, let recording = recorder.recordings.recording(parts[0], in: world.name)
    else {
      throw BackstageRefusal.missing("recording", parts[0])
    }
    let (story, document) = try recording.story()
    return Response(
      status: .ok,
      headerFields: [
        .contentType: form.contentType, .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"\(form.fileName(of: story))\"",
      ],
      body: Array(form.text(of: story, document, under: recorder.options).utf8)
    )
  }

  /// `DELETE recordings/ID`.
  func endRecording(_ id: String) throws -> Response {
    guard let recorder, recorder.recordings.end(id, in: world.name) else {
      throw BackstageRefusal.missing("recording", id)
    }
    var response = Response.noContent
    response.headerFields[values: .setCookie] = [recorder.forgetting]
    return response
  }
}

extension Unicode.Scalar {
  /// Whether it is neither a control character nor one that changes the direction of text; joiners
  /// of letters and emoji are allowed.
  fileprivate var isSeenOrJoins: Bool {
    switch value {
    case 0x202A...0x202E, 0x2066...0x2069: false
    default: properties.generalCategory != .control
    }
  }
}
