import Base
import Testing

@testable import ServiceKit

@Suite struct MetricsTests {
  @Test("counters, gauges and histograms appear with help, type, labels and values")
  func exposition() {
    let metrics = Metrics()
    metrics.counters("calls_total", "Calls that ended.", labels: ["method", "code"]).with("Render", "OK").add(3)
    metrics.gauge("queue_depth", "Calls that wait.").set(-2)
    metrics.gauge("load", "Asked for when read.") { 0.25 }
    let times = metrics.histogram("call_seconds", "How long calls took.", bounds: [0.1, 1])
    for duration in [Duration.milliseconds(50), .milliseconds(100), .seconds(1), .seconds(7)] {
      times.observe(duration)
    }
    #expect(
      metrics.exposition == """
        # HELP call_seconds How long calls took.
        # TYPE call_seconds histogram
        call_seconds_bucket{le="0.1"} 2
        call_seconds_bucket{le="1.0"} 3
        call_seconds_bucket{le="+Inf"} 4
        call_seconds_sum 8.15
        call_seconds_count 4
        # HELP calls_total Calls that ended.
        # TYPE calls_total counter
        calls_total{method="Render",code="OK"} 3
        # HELP load Asked for when read.
        # TYPE load gauge
        load 0.25
        # HELP queue_depth Calls that wait.
        # TYPE queue_depth gauge
        queue_depth -2

        """)
  }

  @Test("nothing is lost when many threads count at once")
  func concurrent() async {
    let counter = Counter()
    let histogram = Histogram(bounds: [1])
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10_000 {
            counter.add()
            histogram.observe(0.5)
          }
        }
      }
    }
    #expect(counter.value == 80_000)
    #expect(histogram.cumulativeCounts == [80_000, 80_000])
    #expect(histogram.sum == 40_000)
  }

  @Test("a family has a bounded number of members; the rest share one")
  func bounded() {
    let family = Family(labelNames: ["peer"], limit: 3) { Counter() }
    for peer in ["a", "b", "c", "d", "e", "a"] { family.with(peer).add() }
    let counts = Dictionary(uniqueKeysWithValues: family.snapshot.map { ($0.labels[0].1, $0.metric.value) })
    #expect(counts == ["a": 2, "b": 1, "c": 1, "other": 2])
    family.remove("a")
    #expect(family.snapshot.count == 3)
  }

  @Test("every bucket's upper bound belongs to it")
  func bounds() {
    let histogram = Histogram(bounds: Histogram.callSeconds)
    for bound in histogram.bounds { histogram.observe(bound) }
    histogram.observe(11)
    #expect(histogram.cumulativeCounts == (1...17).map { UInt64($0) })
  }

  @Test("names that Prometheus does not accept are recognised")
  func names() {
    for name in ["a", "a_b1", "_a", "ns:a"] { #expect(Exposition.isName(name, colons: true)) }
    for name in ["", "1a", "a-b", "ä", "a b"] { #expect(!Exposition.isName(name, colons: true)) }
    #expect(!Exposition.isName("ns:a", colons: false))
  }
}
