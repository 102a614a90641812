import Base
import ServiceKit
import Synchronization
import Testing

@testable import gateway

@Suite("what a gateway's log says of connections of strangers is bounded")
final class ConnectionLogTests: Sendable {
  private let time = Mutex(MonotonicTime(nanoseconds: 0))
  private let capture = LogCapture()

  @Test("one address has one budget of lines, however many connections it opens, and another address its own")
  func budget() {
    let clock = Base.Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { [self] in time.withLock { $0 } })
    let log = ConnectionLog(of: "grpc", log: capture.log(), clock: clock)
    for _ in 0..<500 {
      log.noteGivenUp("192.0.2.1", why: "bad preface")
      log.noteRefused("192.0.2.1", why: "too many connections")
    }
    #expect(capture.events.count == 20)
    log.noteGivenUp("192.0.2.2", why: "bad preface")
    #expect(capture.events.count == 21)
    time.withLock { $0 = $0 + .seconds(2) }
    log.noteRefused("192.0.2.1", why: "too many connections")
    #expect(capture.events.last?["lines_left_out"] == .integer(980))
  }
}
