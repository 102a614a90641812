import Base
import Testing

@testable import ServiceKit

@Suite struct LogTests {
  private let clock = Clock(
    wall: { Instant(millisecondsSince1970: 1_772_368_200_250) }, monotonic: { MonotonicTime(nanoseconds: 0) })

  private func event(_ fields: KeyValuePairs<String, any LogConvertible>) -> LogEvent {
    let capture = LogCapture()
    capture.log(clock: clock).info("it happened", fields)
    return capture.events[0]
  }

  @Test("an event is one line of key=value, with quotes where they are needed")
  func logfmt() {
    let line = LogFormat.logfmt.line(
      event(["plain": "a/b", "spaced": "a b", "quoted": "say \"no\"", "empty": "", "n": 3, "ok": true, "x": 0.5]))
    #expect(
      line == """
        time=2026-03-01T12:30:00.250Z level=info event="it happened" plain=a/b spaced="a b" quoted="say \\"no\\"" \
        empty="" n=3 ok=true x=0.5
        """)
  }

  @Test("an event is one JSON object whose numbers are numbers")
  func json() {
    let line = LogFormat.json.line(event(["text": "ä\u{1}\\", "n": -3, "elapsed_ms": Duration.milliseconds(5)]))
    #expect(
      line == #"""
        {"time":"2026-03-01T12:30:00.250Z","level":"info","event":"it happened","text":"ä\u0001\\","n":-3,"elapsed_ms":5.0}
        """#)
  }

  @Test("no value can make an event take two lines", arguments: ["\n", "\r", "\u{2028}", "\u{85}"])
  func oneLine(lineEnd: String) {
    for format in LogFormat.allCases {
      let line = format.line(event(["text": "one\(lineEnd)level=error event=forged"]))
      #expect(!line.unicodeScalars.contains { $0.properties.isWhitespace && $0 != " " })
    }
  }

  @Test("a long value is cut, and the cut is marked")
  func bounded() {
    let line = LogFormat.logfmt.line(event(["text": String(repeating: "x", count: 100_000)]))
    #expect(line.utf8.count < 1200)
    #expect(line.hasSuffix("\"") && line.contains("…"))
  }

  @Test("a field whose name says that it is secret is redacted", arguments: ["password", "user_token", "api-secret"])
  func redacted(name: String) {
    #expect(LogField(name, .text("hunter2")).value == .redacted)
    #expect(LogField("tokens_left", .integer(3)).value == .integer(3))
  }

  @Test("events below the level are neither written nor built")
  func level() {
    let capture = LogCapture()
    let log = Log(level: .warn) { _ in Issue.record("a debug event was recorded") }
    func fields() -> KeyValuePairs<String, any LogConvertible> {
      Issue.record("fields of an event below the level were made")
      return [:]
    }
    log.debug("nothing", fields())
    log.info("nothing", fields())
    capture.log().with(["call": 7]).error("something", ["code": 3])
    #expect(capture.events(named: "something").first?["call"] == .integer(7))
    #expect(capture.events.first?["code"] == .integer(3))
  }

  @Test("an unexpected error is recorded in full under an id that can be shown")
  func unexpected() {
    struct Broken: Error, CustomStringConvertible {
      let description = "the disk said no"
    }
    let capture = LogCapture()
    let id = capture.log().unexpected(Broken(), ["method": "Render"])
    let event = capture.events[0]
    #expect(id.count == 16)
    #expect(event.level == .error)
    #expect(event["error_id"] == .text(id))
    #expect(event["error"] == .text("the disk said no"))
    #expect(event["method"] == .text("Render"))
    #expect(capture.log().unexpected(Broken()) != id)
  }
}
