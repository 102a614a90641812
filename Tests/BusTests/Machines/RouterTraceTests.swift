import Base
import Bus
import RPC
import Testing

/// Spans of traced calls.
@Suite struct RouterTraceTests {
  private static let trace = String(repeating: "4b", count: 16)
  private static let caller = String(repeating: "00f0", count: 4)

  private func router(percentage: Int) -> RouterHarness {
    var configuration = RouterConfiguration()
    configuration.tracing = Tracing(percentage: percentage)
    return RouterHarness.running(configuration)
  }

  private func open(_ call: UInt64, flags: String?, on harness: inout RouterHarness) throws {
    var envelope = Envelope(.open, call: call)
    envelope.method = RouterHarness.get.path
    envelope.remainingMilliseconds = 10_000
    envelope.carriesMessage = true
    var metadata: Metadata = ["tracestate": "a=b"]
    if let flags { try metadata.add("traceparent", "00-\(Self.trace)-\(Self.caller)-\(flags)") }
    envelope.extra = Envelope.Extra(metadata: metadata)
    harness.send(envelope, from: RouterHarness.client)
  }

  private func parent(of envelope: Envelope?) -> TraceParent? {
    (envelope?.extra?.metadata[bytes: "traceparent"]).flatMap { TraceParent($0) }
  }

  @Test("a call that brings a trace goes on in it, with this gateway's span in between")
  func goesOn() throws {
    var harness = router(percentage: 0)
    try open(1, flags: "01", on: &harness)
    let opened = try #require(harness.opened().first)
    let passed = try #require(parent(of: opened))
    #expect(passed.traceID == Self.trace)
    #expect(passed.spanID != Self.caller)
    #expect(opened.extra?.metadata["tracestate"] == "a=b")
    #expect(opened.extra?.caller?.subject == "s")
    harness.jump(.milliseconds(20))
    harness.answer(opened.call, .notFound, credit: 2)
    let spans = harness.router.takeSpans()
    #expect(spans.map(\.parentID) == [Self.caller])
    #expect(spans.map(\.spanID) == [passed.spanID])
    #expect(spans.map(\.method) == [RouterHarness.get.path])
    #expect(spans.map(\.code) == [.notFound])
    #expect(spans.map { $0.endedAt - $0.receivedAt } == [.milliseconds(20)])
    #expect(harness.router.takeSpans().isEmpty)
  }

  @Test("a span tells how long its call waited, and how often it was tried")
  func waits() throws {
    var harness = router(percentage: 0)
    try open(1, flags: "01", on: &harness)
    try open(2, flags: "01", on: &harness)
    let first = try #require(harness.opened().first)
    harness.jump(.milliseconds(70))
    harness.answer(first.call, credit: 2)
    #expect(harness.router.takeSpans().map(\.attempts) == [1])
    harness.router.lose(RouterHarness.worker, because: .unreachable, at: harness.now)
    let next = Peer(door: .services, link: 2)
    harness.greetAsWorker(next, instance: "next")
    let again = try #require(harness.opened(at: next).first)
    harness.answer(again.call, from: next)
    let span = try #require(harness.router.takeSpans().first)
    #expect(span.attempts == 2)
    #expect(span.handedOverAt.map { $0 - span.receivedAt } == .milliseconds(70))
  }

  @Test("what a worker says of its database's time stands in the span, and reaches no caller", arguments: ["00", "01"])
  func databaseTime(flags: String) throws {
    var harness = router(percentage: 0)
    try open(1, flags: flags, on: &harness)
    let opened = try #require(harness.opened().first)
    harness.answer(opened.call, metadata: ["assent-database-us": "1234", "other": "kept"])
    #expect(harness.router.takeSpans().map(\.databaseMicroseconds) == (flags == "01" ? [1234] : []))
    #expect(harness.outcomes().map { $0.extra?.metadata } == [["other": "kept"]])
  }

  @Test("calls that never reach a worker have spans too")
  func expired() throws {
    var harness = router(percentage: 0)
    try open(1, flags: "01", on: &harness)
    try open(2, flags: "01", on: &harness)
    harness.send(Envelope(.cancel, call: 2), from: RouterHarness.client)
    harness.pass(.seconds(11))
    let spans = harness.router.takeSpans()
    #expect(spans.map(\.code) == [.cancelled, .deadlineExceeded])
    #expect(spans.map { $0.handedOverAt == nil } == [true, false])
  }

  @Test("who decided that a trace is not wanted is believed, and others begin one as often as is wanted")
  func sampling() throws {
    var harness = router(percentage: 100)
    try open(1, flags: "00", on: &harness)
    let unwanted = try #require(harness.opened().first)
    #expect(parent(of: unwanted)?.spanID == Self.caller)
    harness.answer(unwanted.call, credit: 2)
    #expect(harness.router.takeSpans().isEmpty)
    try open(2, flags: nil, on: &harness)
    let begun = try #require(harness.opened().first)
    #expect(parent(of: begun)?.isSampled == true)
    harness.answer(begun.call, credit: 3)
    #expect(harness.router.takeSpans().map(\.parentID) == [""])
    var none = router(percentage: 0)
    try open(1, flags: nil, on: &none)
    #expect(parent(of: none.opened().first) == nil)
  }

  @Test("without a place for spans nothing is traced, and traces pass through")
  func off() throws {
    var harness = RouterHarness.running()
    try open(1, flags: "01", on: &harness)
    let opened = try #require(harness.opened().first)
    #expect(parent(of: opened)?.spanID == Self.caller)
    harness.answer(opened.call)
    #expect(harness.router.takeSpans().isEmpty)
  }

  @Test(
    "what is no traceparent is none",
    arguments: [
      "", "00-\(trace)-\(caller)", "ff-\(trace)-\(caller)-01", "00-\(trace.dropLast())-\(caller)-01",
      "00-\(trace.uppercased())-\(caller)-01", "00-\(String(repeating: "0", count: 32))-\(caller)-01",
      "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00-\(trace)-\(caller)-01-",
    ])
  func malformed(text: String) {
    #expect(TraceParent(Array(text.utf8)) == nil)
  }

  @Test("only the last bit of the flags counts", arguments: [("01", true), ("03", true), ("0f", true), ("02", false)])
  func flags(flags: String, isSampled: Bool) {
    #expect(TraceParent(Array("00-\(Self.trace)-\(Self.caller)-\(flags)".utf8))?.isSampled == isSampled)
  }
}
