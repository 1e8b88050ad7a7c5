import Testing

@testable import Metrics

@Suite struct CounterTests {
  @Test("counts from many threads all arrive, each at its place")
  func counting() async {
    let counters = Counters(3)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { for _ in 0..<10_000 { counters.add(at: task % 2) } }
      }
    }
    #expect((0..<3).map { counters[$0] } == [40_000, 40_000, 0])
  }

  @Test("a time is counted at every bound that it does not exceed, and once in all")
  func histogram() {
    let histograms = Histograms(seriesCount: 2)
    for time in [Duration.zero, .microseconds(500), .microseconds(501), .seconds(15), .seconds(60)]
    {
      histograms.note(time, of: 1)
    }
    let reading = histograms.reading(of: 1)
    #expect(reading.cumulativeCounts.count == Histograms.bounds.count + 1)
    #expect(reading.cumulativeCounts[0] == 2)
    #expect(reading.cumulativeCounts[1] == 3)
    #expect(reading.cumulativeCounts.suffix(3) == [3, 4, 5])
    #expect(reading.cumulativeCounts == reading.cumulativeCounts.sorted())
    #expect(reading.sum == .seconds(75) + .microseconds(1_001))
    #expect(histograms.reading(of: 0).count == 0)
    #expect(Histograms.bounds == Histograms.bounds.sorted())
  }
}

@Suite struct PathTableTests {
  private static let paths = [
    "/", "/sign-in", "/sign-in/code", "/v1/client/sign_ins/{id}",
    "/v1/client/sign_ins/{id}/attempt",
    "/v1/client/sessions/{id}", "/v1/client/sessions/active/touch", "/{tenant}/token",
  ]

  @Test(
    "a path is found by its segments, with any text in the place of braces",
    arguments: [
      ("/", 0), ("/sign-in", 1), ("/sign-in?redirect_url=/v1/x", 1), ("/sign-in/code", 2),
      ("/v1/client/sign_ins/sia_1", 3), ("/v1/client/sign_ins/a%2Fb?_is_native=1", 3),
      ("/v1/client/sign_ins/sia_1/attempt", 4), ("/v1/client/sessions/active", 5),
      ("/v1/client/sessions/active/touch", 6), ("/contoso/token", 7),
    ]
  )
  func known(path: String, index: Int) {
    #expect(PathTable(Self.paths).index(of: path) == index)
    // Of paths that are there twice, the first counts.
    #expect(PathTable(Self.paths + Self.paths).index(of: path) == index)
  }

  @Test(
    "an unknown path is not found",
    arguments: [
      "", "sign-in", "/sign-in/", "/sign-i", "/sign-in/codes", "/v1", "/v1/client/sign_ins/a/b/c",
      "?",
      "/SIGN-IN",
    ]
  )
  func unknown(path: String) {
    #expect(PathTable(Self.paths).index(of: path) == nil)
  }
}

@Suite struct ExpositionTests {
  @Test("backslashes, quotes and line feeds are escaped where the format says so")
  func escaping() {
    var text = ExpositionText()
    text.begin("a_total", .counter, "one\ntwo \\ \"three\"")
    text.add("a_total", [("label", "one\ntwo \\ \"three\" ä")], 3)
    #expect(
      text.text
        == "# HELP a_total one\\ntwo \\\\ \"three\"\n# TYPE a_total counter\n"
        + "a_total{label=\"one\\ntwo \\\\ \\\"three\\\" ä\"} 3\n"
    )
  }

  @Test("a histogram ends in +Inf, which is its count, and gives its sum in seconds")
  func histogram() {
    let histograms = Histograms(seriesCount: 1)
    histograms.note(.milliseconds(1_500), of: 0)
    histograms.note(.seconds(100), of: 0)
    var text = ExpositionText()
    text.add("a", [("b", "c")], histograms.reading(of: 0))
    let lines = text.text.split(separator: "\n")
    #expect(lines.count == Histograms.bounds.count + 3)
    #expect(lines[0] == #"a_bucket{b="c",le="0.0005"} 0"#)
    #expect(lines.contains(#"a_bucket{b="c",le="2.5"} 1"#))
    #expect(
      lines.suffix(3) == [
        #"a_bucket{b="c",le="+Inf"} 2"#, #"a_sum{b="c"} 101.5"#, #"a_count{b="c"} 2"#,
      ]
    )
  }
}
