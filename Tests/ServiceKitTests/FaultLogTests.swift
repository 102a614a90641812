import Base
import Synchronization
import Testing

@testable import ServiceKit

@Suite("faults that every call meets are logged once a minute")
struct FaultLogTests {
  private struct Full: RecurringFault {
    let recurrence: String?
  }

  @Test("errors with one reason have one line a minute, which counts the others; others have one each")
  func limit() {
    let now = Mutex(MonotonicTime(nanoseconds: 0))
    let clock = Base.Clock(wall: { Instant(millisecondsSince1970: 0) }, monotonic: { now.withLock { $0 } })
    let capture = LogCapture()
    let faults = FaultLog(capture.log(), clock: clock)
    for number in 0..<500 { faults.note(Full(recurrence: "disk"), id: "\(number)", method: "m") }
    faults.note(Full(recurrence: "server"), id: "x", method: "m")
    faults.note(Full(recurrence: nil), id: "y", method: "m")
    faults.note(Full(recurrence: nil), id: "z", method: "m")
    #expect(capture.events.map { $0["error_id"] } == [.text("0"), .text("x"), .text("y"), .text("z")])
    now.withLock { $0 = $0 + .seconds(60) }
    faults.note(Full(recurrence: "disk"), id: "later", method: "m")
    #expect(capture.events.last?["error_id"] == .text("later"))
    #expect(capture.events.last?["lines_left_out"] == .integer(499))
  }
}
