import Base
import FaceTestKit
import Synchronization
import TestSupport
import Testing

@testable import Face

@Suite("News of what was revoked") struct RevocationNewsTests {
  private let now = SteppedClock()
  private let calls = Count()

  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  /// News that has been heard, and has become old; somebody wants more.
  private var wanted: RevocationNews {
    let news = RevocationNews(clock: now.clock)
    news.answerAll()
    now.advance(by: .seconds(3))
    news.noteUse()
    return news
  }

  @Test("whoever waits is told once, by an answer and by no other message, and at once if nothing is under way")
  func told() {
    let news = wanted
    news.whenHeard { calls.add() }
    news.noteMessage()
    news.noteLearned(answering: 0)
    #expect(calls.value == 0 && news.isUnderWay)
    news.answerAll()
    #expect(calls.value == 1 && !news.isUnderWay)
    news.answerAll()
    news.whenHeard { calls.add() }
    #expect(calls.value == 2)
  }

  @Test("an answer to a question that waited for too long makes nobody go on, and is asked again")
  func late() {
    let news = wanted
    news.whenHeard { calls.add() }
    guard case .ask(let number) = news.step() else { return #expect(Bool(false), "nothing is asked") }
    now.advance(by: .milliseconds(950))
    news.noteMessage()
    news.noteLearned(answering: number)
    #expect(calls.value == 0 && news.wouldWait && news.step() == .ask(number + 1))
  }

  @Test("the end of a stream leaves those who wait waiting for the next one, unless none follows")
  func ends() {
    let news = wanted
    news.whenHeard { calls.add() }
    news.close(isLast: false)
    #expect(calls.value == 0 && news.isUnderWay)
    _ = news.open()
    #expect(news.step() == .ask(2) && news.isUnderWay)
    news.close(isLast: true)
    #expect(calls.value == 1 && !news.isUnderWay)
  }
}
