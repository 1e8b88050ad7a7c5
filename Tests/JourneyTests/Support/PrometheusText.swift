import Foundation

/// Prometheus' text format 0.0.4, read strictly: what a scraper would refuse is an error here.
///
/// Source: Prometheus, "Exposition formats", "Text-based format".
struct PrometheusText {
  struct Failure: Error, CustomStringConvertible { var description: String }

  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  private(set) var samples: [Sample] = []
  private(set) var kinds: [String: String] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Failure(description: "the last line has no end") }
    var family: String?
    var finished: Set<String> = []
    var helped: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) {
      if let help = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
        let name = String(help.1)
        guard helped.insert(name).inserted else {
          throw Failure(description: "HELP twice: \(name)")
        }
        _ = try Self.unescaped(String(help.2), escapes: ["\\": "\\", "n": "\n"])
      } else if let type = line.wholeMatch(
        of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/
      ) {
        let name = String(type.1)
        if let family { finished.insert(family) }
        guard kinds[name] == nil, !finished.contains(name), helped.contains(name) else {
          throw Failure(description: "TYPE out of its place: \(name)")
        }
        kinds[name] = String(type.2)
        family = name
      } else {
        let sample = try Self.sample(line)
        guard let family, Self.belongs(sample, to: family, kinds[family] ?? "") else {
          throw Failure(description: "a sample outside its family: \(line)")
        }
        let isNew = !samples.contains { $0.name == sample.name && $0.labels == sample.labels }
        guard isNew else { throw Failure(description: "a sample twice: \(line)") }
        samples.append(sample)
      }
    }
    try checkHistograms()
  }

  private static func belongs(_ sample: Sample, to family: String, _ kind: String) -> Bool {
    guard kind == "histogram" else {
      return sample.name == family && (kind != "counter" || sample.name.hasSuffix("_total"))
    }
    if sample.name == "\(family)_bucket" { return sample.labels["le"] != nil }
    return ["\(family)_sum", "\(family)_count"].contains(sample.name)
  }

  private static func sample(_ line: String) throws -> Sample {
    guard
      let match = line.wholeMatch(
        of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.e+-]+|\+Inf|NaN)/
      ), let value = Double(match.3.replacing("+Inf", with: "inf"))
    else { throw Failure(description: "no sample: \(line)") }
    var labels: [String: String] = [:]
    var rest = match.2 ?? ""
    while !rest.isEmpty {
      guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\.)*)"(,|$)/),
        labels[String(label.1)] == nil
      else { throw Failure(description: "no label: \(rest)") }
      labels[String(label.1)] = try unescaped(
        String(label.2),
        escapes: ["\\": "\\", "n": "\n", "\"": "\""]
      )
      rest = rest[label.range.upperBound...]
    }
    return Sample(name: String(match.1), labels: labels, value: value)
  }

  private static func unescaped(
    _ text: String,
    escapes: [Character: Character]
  ) throws -> String {
    var plain = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        guard let meant = escapes[character] else {
          throw Failure(description: "no escape: \\\(character)")
        }
        plain.append(meant)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        plain.append(character)
      }
    }
    guard !isEscaped else { throw Failure(description: "an escape without an end: \(text)") }
    return plain
  }

  /// Buckets are cumulative in the order of their bounds, and the last one, +Inf, is the count.
  private func checkHistograms() throws {
    for (family, _) in kinds.filter({ $0.value == "histogram" }) {
      for count in samples where count.name == "\(family)_count" {
        let buckets = samples.filter { sample in
          sample.name == "\(family)_bucket"
            && sample.labels.filter { $0.key != "le" } == count.labels
        }
        let bounds = buckets.compactMap { bucket in
          Double((bucket.labels["le"] ?? "").replacing("+Inf", with: "inf"))
        }
        let values = buckets.map(\.value)
        let hasSum = samples.contains {
          $0.name == "\(family)_sum" && $0.labels == count.labels && $0.value >= 0
        }
        guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
          values == values.sorted(), values.last == count.value, hasSum
        else { throw Failure(description: "no histogram: \(family) \(count.labels)") }
      }
    }
  }

  /// The sum of the samples of that name that have these labels.
  func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
    samples.filter { sample in
      sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
    }
    .reduce(0) { $0 + $1.value }
  }

  /// Every value that a label has.
  func values(of label: String) -> Set<String> { Set(samples.compactMap { $0.labels[label] }) }
}
