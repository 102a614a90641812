import Testing

@testable import BenchKit

@Suite struct ReportTests {
  @Test("a ratio above one means better, whatever the unit counts")
  func ratio() {
    let faster = Row(id: "a/b", name: "a", unit: .nanoseconds, value: 50, peer: "b", peerValue: 100)
    let more = Row(id: "a/b", name: "a", unit: .perSecond, value: 100, peer: "b", peerValue: 50)
    #expect(faster.ratio == 2)
    #expect(more.ratio == 2)
  }

  @Test("a report is JSON in the agreed shape, and says null where there is no peer")
  func json() {
    let row = Row(id: "size", name: "a \"small\" file", unit: .bytes, value: 12)
    #expect(
      report(part: "ink", rows: [row]) == """
        {"part": "ink", "rows": [
          {"id": "size", "name": "a \\"small\\" file", "unit": "B", "value": 12.0, "peer": null, "peer_value": null, "ratio": null}
        ]}

        """)
  }

  @Test("medians and percentiles of known values")
  func medians() {
    #expect(median([3, 1, 2]) == 2)
    #expect(median([4, 1, 2, 3]) == 2.5)
    #expect(percentile(0.99, of: (1...100).map(Double.init)) == 99)
  }

  @Test("numbers are rounded to the digits asked for", arguments: [(0.005, "0.01"), (12.345, "12.35"), (-1, "-1.00")])
  func rounding(value: Double, text: String) {
    #expect(rounded(value, digits: 2) == text)
  }
}
