/// Metrics in Prometheus' text format, version 0.0.4.
///
/// Source: Prometheus, "Exposition formats", "Text-based format".
package struct ExpositionText: Sendable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  /// A label's name and value; a name consists of letters, digits and underscores.
  package typealias Label = (name: String, value: String)

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package private(set) var text = ""

  package init() {}

  /// Begins a metric family; its samples follow.
  package mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  package mutating func add(_ name: String, _ labels: [Label] = [], _ value: Int) {
    write(name, labels, String(value))
  }

  package mutating func add(_ name: String, _ labels: [Label] = [], _ value: Double) {
    write(name, labels, "\(value)")
  }

  /// Adds one series of a histogram, in seconds.
  package mutating func add(_ name: String, _ labels: [Label], _ reading: Histograms.Reading) {
    let bounds = Histograms.bounds.map { "\($0.inSeconds)" } + ["+Inf"]
    for (bound, count) in zip(bounds, reading.cumulativeCounts) {
      add("\(name)_bucket", labels + [("le", bound)], count)
    }
    add("\(name)_sum", labels, reading.sum.inSeconds)
    add("\(name)_count", labels, reading.count)
  }

  private mutating func write(_ name: String, _ labels: [Label], _ value: String) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
      .joined(separator: ",")
    text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
