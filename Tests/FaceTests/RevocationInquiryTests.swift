import Base
import Testing

@testable import Face

@Suite("When a gateway asks what was revoked") struct RevocationInquiryTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

  private static func time(_ milliseconds: Int64) -> MonotonicTime { start + .milliseconds(milliseconds) }

  /// One whose first question was asked and answered at `start`.
  private var answered: RevocationInquiry {
    var inquiry = RevocationInquiry()
    inquiry.begin()
    _ = inquiry.step(at: Self.start)
    inquiry.noteMessage(at: Self.start)
    inquiry.noteAnswer(1, at: Self.start)
    return inquiry
  }

  @Test("a stream begins with a question, and may wait for a process; nobody waits with it")
  func begins() {
    var inquiry = RevocationInquiry()
    let before = inquiry.step(at: Self.start)
    inquiry.begin()
    let steps = [0, 20_000].map { inquiry.step(at: Self.time($0)) }
    #expect(before == .waitForStream && steps == [.ask(1), .wait(until: Self.time(30_000))])
    let asks = inquiry.use(at: Self.time(20_000))
    #expect(!asks && !inquiry.isUnderWay(at: Self.time(20_000)))
    // What the question can tell is old by then, so another one is asked.
    inquiry.noteMessage(at: Self.time(20_001))
    inquiry.noteAnswer(1, at: Self.time(20_001))
    let next = inquiry.step(at: Self.time(20_001))
    #expect(next == .ask(2) && inquiry.isUnderWay(at: Self.time(20_002)))
    inquiry.noteAnswer(2, at: Self.time(20_003))
    #expect(!inquiry.wouldWait(at: Self.time(20_901)) && inquiry.wouldWait(at: Self.time(20_902)))
  }

  @Test(
    "a use asks unless the last answer is fresh, and waits when it is old",
    arguments: [(0, false, false), (250, false, false), (251, true, false), (900, true, false), (901, true, true)])
  func use(age: Int64, asks: Bool, waits: Bool) {
    var inquiry = answered
    let hasAsked = inquiry.use(at: Self.time(age))
    #expect(hasAsked == asks)
    #expect(inquiry.isUnderWay(at: Self.time(age)) == waits)
    let step = inquiry.step(at: Self.time(age))
    #expect((step == .ask(2)) == asks)
  }

  @Test("uses that come together ask once, and what is known is as old as the question")
  func once() {
    var inquiry = answered
    let asks = [inquiry.use(at: Self.time(300)), inquiry.use(at: Self.time(301))]
    let steps = [inquiry.step(at: Self.time(302)), inquiry.step(at: Self.time(303))]
    #expect(asks == [true, false] && steps == [.ask(2), .wait(until: Self.time(2302))])
    let whileAsked = inquiry.use(at: Self.time(304))
    inquiry.noteMessage(at: Self.time(900))
    inquiry.noteAnswer(2, at: Self.time(900))
    #expect(!whileAsked && !inquiry.wouldWait(at: Self.time(1202)) && inquiry.wouldWait(at: Self.time(1203)))
    #expect(inquiry.isKnown(at: Self.time(1302)) && !inquiry.isKnown(at: Self.time(1303)))
  }

  @Test("a message that answers an earlier question, or none, says nothing of later revocations")
  func earlier() {
    var inquiry = answered
    _ = inquiry.use(at: Self.time(2000))
    _ = inquiry.step(at: Self.time(2000))
    for number: Int64 in [0, 1] {
      inquiry.noteMessage(at: Self.time(2001))
      inquiry.noteAnswer(number, at: Self.time(2001))
      #expect(inquiry.isUnderWay(at: Self.time(2001)) && !inquiry.isKnown(at: Self.time(2001)))
    }
  }

  @Test("nobody waits for longer than a second, and a stream is given up after two in which it says nothing")
  func silence() {
    var inquiry = answered
    _ = inquiry.use(at: Self.time(4000))
    let steps = [4000, 5999].map { inquiry.step(at: Self.time($0)) }
    #expect(steps == [.ask(2), .wait(until: Self.time(6000))])
    #expect(inquiry.isUnderWay(at: Self.time(4999)) && !inquiry.isUnderWay(at: Self.time(5000)))
    // A message that answers nothing is a sign of life.
    inquiry.noteMessage(at: Self.time(5999))
    let later = [6000, 7998, 7999].map { inquiry.step(at: Self.time($0)) }
    #expect(later == [.wait(until: Self.time(7999)), .wait(until: Self.time(7999)), .giveUp])
  }

  @Test("after the end of a stream a use waits for the next one, for a second")
  func ends() {
    var inquiry = answered
    inquiry.close(isLast: false, at: Self.time(3000))
    let asks = inquiry.use(at: Self.time(3100))
    inquiry.begin()
    #expect(!asks && inquiry.isUnderWay(at: Self.time(3999)) && !inquiry.isUnderWay(at: Self.time(4000)))
    let step = inquiry.step(at: Self.time(3200))
    #expect(step == .ask(2))
    inquiry.close(isLast: false, at: Self.time(3300))
    #expect(!inquiry.wouldWait(at: Self.time(4000)))
  }

  @Test("a use that waited in vain waits for the next stream as well, and for nothing once there will be none")
  func givenUp() {
    var inquiry = answered
    _ = inquiry.use(at: Self.time(4000))
    _ = inquiry.step(at: Self.time(4000))
    #expect(!inquiry.isUnderWay(at: Self.time(6000)))
    inquiry.close(isLast: false, at: Self.time(6000))
    inquiry.begin()
    #expect(inquiry.isUnderWay(at: Self.time(6999)) && !inquiry.isUnderWay(at: Self.time(7000)))
    _ = inquiry.step(at: Self.time(6000))
    inquiry.noteMessage(at: Self.time(9000))
    #expect(inquiry.isUnderWay(at: Self.time(9999)))
    inquiry.close(isLast: true, at: Self.time(9100))
    #expect(!inquiry.isUnderWay(at: Self.time(9100)) && !inquiry.wouldWait(at: Self.time(9100)))
  }

  @Test("a stream that never says anything is given up after half a minute, and so is the next one")
  func neverAnswers() {
    var inquiry = RevocationInquiry()
    for begun: Int64 in [0, 31_000] {
      inquiry.begin()
      let steps = [0, 29_999, 30_000].map { inquiry.step(at: Self.time(begun + $0)) }
      #expect(steps.dropFirst() == [.wait(until: Self.time(begun + 30_000)), .giveUp], "\(steps)")
      inquiry.close(isLast: false, at: Self.time(begun + 30_000))
    }
  }

  @Test("without uses it asks every ten seconds")
  func idle() {
    var inquiry = answered
    let steps = [9999, 10_000].map { inquiry.step(at: Self.time($0)) }
    #expect(steps == [.wait(until: Self.time(10_000)), .ask(2)])
    inquiry.noteAnswer(2, at: Self.time(10_001))
    inquiry.noteMessage(at: Self.time(10_001))
    let next = inquiry.step(at: Self.time(10_002))
    #expect(next == .wait(until: Self.time(20_000)))
  }
}
