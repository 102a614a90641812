import Testing

@testable import BenchKit

@Suite struct BenchTests {
  private func part(_ words: String...) -> Bench {
    Bench(part: "test", options: Options(["--rounds", "1"] + words))
  }

  @Test("a bench whose rows are all measured has no fault")
  func whole() async {
    var bench = part()
    await bench.compare("a", "a", unit: .bytes, ours: { 1 }, peers: ["b": { 2 }])
    await bench.measure("c", "c", unit: .bytes) { 3 }
    bench.report("d", "d", unit: .bytes, value: 0)
    #expect(bench.faults == [])
  }

  @Test("a row that cannot be measured is named with the reason, and the others are measured all the same")
  func broken() async {
    var bench = part()
    await bench.compare(
      "a", "a", unit: .bytes, ours: { 1 }, peers: ["gone": { throw Gone() }, "there": { 2 }])
    await bench.compare("b", "b", unit: .bytes, ours: { throw Gone() }, peers: ["there": { 2 }])
    await bench.measure("c", "c", unit: .bytes) { throw Gone() }
    #expect(bench.faults == ["a/gone: it is gone", "b: it is gone", "c: it is gone"])
  }

  @Test("a figure of nothing, or of no number, breaks its row", arguments: [0, -1, .nan, .infinity])
  func nothing(figure: Double) async {
    var bench = part()
    await bench.measure("a", "a", unit: .perSecond) { figure }
    #expect(bench.faults == ["a: the figure is \(figure)"])
  }

  @Test("a report of what is no number breaks its row")
  func noNumber() {
    var bench = part()
    bench.report("a", "a", unit: .bytes, value: 1, peer: "b", peerValue: .nan)
    #expect(bench.faults == ["a: the figure is 1.0, the peer's nan"])
  }

  @Test("a bench without a row, a group without one and a group that fails are faults")
  func empty() async {
    var bench = part()
    #expect(bench.faults == ["nothing was measured"])
    await bench.group("first") { _ in }
    await bench.group("second") { _ in throw Gone() }
    #expect(bench.faults == ["first: none of its rows was measured", "second: it is gone"])
  }

  @Test("a group that fails is named with the reason, then each of its rows without a figure; other groups go on")
  func failedGroup() async {
    var bench = part("--only", "a,b/x,next")
    await bench.group("first", of: ["a", "b", "c"]) { bench in
      await bench.compare("a", "a", unit: .bytes, ours: { 1 }, peers: ["x": { 2 }])
      throw Gone()
    }
    await bench.group("next") { await $0.measure("next", "next", unit: .bytes) { 1 } }
    #expect(bench.faults == ["first: it is gone", "b: not measured, because of the error in first"])
  }

  @Test("what --only asks for and what nobody has measured is a fault, and what nobody asked for is not measured")
  func only() async {
    var bench = part("--only", "a,typo")
    await bench.measure("a", "a", unit: .bytes) { 1 }
    await bench.measure("b", "b", unit: .bytes) { throw Gone() }
    bench.report("c", "c", unit: .bytes, value: .nan)
    await bench.group("d", of: ["e"]) { _ in throw Gone() }
    #expect(bench.faults == ["typo: there is no such row or group"])
  }
}

private struct Gone: Error, CustomStringConvertible {
  var description: String { "it is gone" }
}
