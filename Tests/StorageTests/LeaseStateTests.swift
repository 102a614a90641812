import Base
import Storage
import Synchronization
import Testing

@Suite("A lease as a value")
struct LeaseStateTests {
  private let second = Duration.seconds(1)

  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
  }

  /// Who was told what.
  private final class Told: Sendable {
    private let list = Mutex<[String]>([])
    func note(_ name: String) -> @Sendable (Bool) -> Void {
      { [self] isMet in list.withLock { $0.append("\(name) \(isMet)") } }
    }
    var all: [String] { list.withLock { $0 } }
  }

  @Test("a lease counts from when the database was asked, and not from when it answered")
  func end() {
    var state = LeaseState()
    #expect(state.end < time(0))
    state.ask(at: time(0))
    #expect(state.renew(asked: time(0), for: second).isEmpty)
    #expect(state.end == time(1000) && state.heardAt == time(0))
    // An answer that comes late takes nothing away.
    _ = state.renew(asked: time(-500), for: second)
    #expect(state.end == time(1000) && state.heardAt == time(0))
  }

  @Test("whoever waits is told when what they wait for is there, each once")
  func waiting() {
    var state = LeaseState()
    let told = Told()
    let lease = state.wait(for: .lease, at: time(0), told.note("lease"))
    let early = state.wait(for: .news(since: time(5)), at: time(0), told.note("early"))
    let late = state.wait(for: .news(since: time(50)), at: time(0), told.note("late"))
    #expect(lease != nil && early != nil && late != nil)
    for resume in state.renew(asked: time(10), for: second) { resume(true) }
    #expect(Set(told.all) == ["lease true", "early true"])
    // Met already: nobody waits.
    #expect(state.wait(for: .lease, at: time(20), told.note("x")) == nil)
    #expect(state.wait(for: .news(since: time(10)), at: time(20), told.note("x")) == nil)
    // The lease has run out by then; what was heard stays heard.
    #expect(state.wait(for: .lease, at: time(1010), told.note("later")) != nil)
    #expect(state.wait(for: .news(since: time(10)), at: time(9000), told.note("x")) == nil)
    late.flatMap { state.give(up: $0) }?(false)
    late.flatMap { state.give(up: $0) }?(false)
    #expect(told.all.count == 3 && told.all.last == "late false")
    for resume in state.close() { resume(false) }
    #expect(told.all.last == "later false" && state.end < time(0))
  }

  @Test("somebody who comes when the database has been silent for a while waits less, and in the end not at all")
  func patience() {
    var state = LeaseState()
    let long = Duration.seconds(30)
    #expect(state.patience(from: time(0), lease: second, atMost: long) == second)
    state.ask(at: time(0))
    state.ask(at: time(600))
    #expect(state.askedAt == time(0), "the first attempt counts")
    #expect(state.patience(from: time(400), lease: second, atMost: long) == .milliseconds(600))
    #expect(state.patience(from: time(400), lease: second, atMost: .milliseconds(5)) == .milliseconds(5))
    #expect(state.patience(from: time(5000), lease: second, atMost: long) == .zero)
    _ = state.renew(asked: time(5000), for: second)
    #expect(state.patience(from: time(9000), lease: second, atMost: long) == second)
  }
}
