import Vestibule

/// What `atlas` is to write, and where.
struct AtlasOrder {
  var folder: AtlasFolder
  var destination: String

  /// - Throws: `StartFailure` for the first setting that is bad.
  init(_ options: AtlasOptions, environment: Environment) throws(StartFailure) {
    try environment.refuseUnknown(besides: allOptions + toldByRun)
    destination = try environment.destination(options.out)
    var files = Configuration()
    files.templates = environment.value(options.files.templates, "templates")
    files.publicFolder = environment.value(options.files.public, "public")
    if let path = environment.value(options.brand, "brand") { try files.readBrand(path) }
    if let setting = environment.setting(options.language, "language") {
      files.language = setting.text
      if let reason = try files.languageObstacle() { throw setting.failure(reason) }
    }
    folder = AtlasFolder(
      templates: files.templates,
      publicFolder: files.publicFolder,
      brand: files.brand,
      language: files.language
    )
  }
}

extension Environment {
  /// The folder to write to.
  func destination(_ given: String?) throws(StartFailure) -> String {
    guard let destination = try folder(given, "out") else {
      throw StartFailure(.usage, "--out is missing: name the folder to write to")
    }
    return destination
  }
}
