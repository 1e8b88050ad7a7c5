import Assets

extension PageRenderer {
  /// The page about a fault for people working on the files: the fault, its position, and the line
  /// with a caret.
  public static func document(about fault: TemplateFault) -> [UInt8] {
    var document: [UInt8] = []
    let heading = fault.reason.heading
    document.append(
      """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>
      """
    )
    document.append(escapedForHTML: heading)
    document.append(
      """
      </title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="/public/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/public/vestibule.css">
      </head>
      <body>
      <main id="main" class="card" data-page="template-fault">
      <h1>
      """
    )
    document.append(escapedForHTML: heading)
    document.append("</h1>\n<p>")
    document.append(escapedForHTML: fault.description)
    document.append("</p>\n")
    if let excerpt = fault.excerpt {
      // Makes the scrollable element reachable by keyboard.
      document.append("<pre tabindex=\"0\">")
      document.append(escapedForHTML: excerpt.text)
      document.append("</pre>\n")
    }
    document.append("</main>\n")
    if let version = fault.version { document += ReloadScript.element(version) }
    document.append("</body>\n</html>\n")
    return document
  }
}

extension TemplateFault.Reason {
  fileprivate var heading: String {
    switch self {
    case .brand: "The brand cannot be used"
    case .message: "The words cannot be used"
    case .unreadable: "The files cannot be read"
    case .notUTF8, .nulByte, .missing, .empty, .unclosedTag, .unescapedValue, .changedDelimiters,
      .pragma, .unclosedSection, .tooDeep, .misplacedEnd, .crossedEnd, .unknownTemplate,
      .unknownMessage, .recursion, .messageWithPlaces, .unknownBlock, .withoutBlocks,
      .repeatedBlock, .outsideBlocks, .unknownName, .notText, .notSection:
      "A template cannot be used"
    }
  }
}
