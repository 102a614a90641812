import Replay
import Testing

@Suite("Walks that a bare loop repeats") struct ReplayedWalkTests {
  private func walk(_ id: String, _ number: Int64, others: Int = 0) -> [[TracedStatement]] {
    [
      [
        TracedStatement("A", [.text("tenant"), .text(id), .number(number), .bytes([1, 2]), .null]),
        TracedStatement("B", [.text(id), .text("x\(id)"), .bytes([UInt8(number)])]),
      ],
      [TracedStatement](repeating: TracedStatement("C", []), count: others),
    ]
  }

  @Test("values that two walks share stay, and the others are new in each walk") func values() throws {
    let replayed = try ReplayedWalk(tracedIn: [walk("one", 5), walk("other", 8)])
    #expect(replayed.statementCount == 2)
    #expect(
      replayed.calls.first?.map(\.values) == [
        [.text("tenant"), .newText(name: 0, length: 5), .number(8, step: 3), .bytes([1, 2]), .null],
        [.newText(name: 0, length: 5), .newText(name: 1, length: 6), .newBytes(1)],
      ])
  }

  @Test("a text that both walks use at different places stays, such as a connection's name") func common() throws {
    let walks: [[[TracedStatement]]] = [
      [[TracedStatement("A", [.text("first")]), TracedStatement("A", [.text("second")])]],
      [[TracedStatement("A", [.text("second")]), TracedStatement("A", [.text("first")])]],
    ]
    #expect(
      try ReplayedWalk(tracedIn: walks).calls.first?.map(\.values) == [[.text("second")], [.text("first")]])
  }

  @Test("two walks with the same statements are found among others") func found() throws {
    let walks = [walk("a", 1), walk("b", 2, others: 1), walk("c", 4, others: 1), walk("d", 9)]
    #expect(try ReplayedWalk(tracedIn: walks).calls.first?.first?.values[2] == .number(4, step: 2))
  }

  @Test("walks that never repeat their statements are refused") func never() {
    #expect(throws: TraceError.self) { try ReplayedWalk(tracedIn: [walk("a", 1), walk("b", 2, others: 1)]) }
    #expect(throws: TraceError.self) { try ReplayedWalk(tracedIn: []) }
  }

  @Test("the C source spells every byte") func source() throws {
    let walks: [[[TracedStatement]]] = [1, 2].map {
      [[TracedStatement("S \"\\\n", [.bytes([0, 9]), .text("é1"), .number($0), .null])]]
    }
    let lines = try ReplayedWalk(tracedIn: walks).source.split(separator: "\n").dropFirst()
    #expect(
      Array(lines) == [
        "static const struct value values_0_0[] = {{IS_BYTES, 0, 0, 2, \"\\000\\011\"}, "
          + "{IS_TEXT, 0, 0, 3, \"\\303\\2511\"}, {IS_NUMBER, 2, 1, 0, NULL}, {IS_NULL, 0, 0, 0, NULL}};",
        "static const struct statement call_0[] = {",
        "  {\"S \\\"\\\\\\012\", 4, values_0_0},",
        "};",
        "static const struct call calls[] = {{1, call_0}};",
      ])
  }
}
