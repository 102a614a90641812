import Base
import Testing

@testable import BenchKit

@Suite struct ThreadFiguresTests {
  @Test("switches of both kinds count, and the time on a processor is in nanoseconds")
  func parsed() {
    let status = "Name:\tgateway\nVmRSS:\t  123 kB\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n"
    let thread = ThreadFigures.Thread(status: status, schedule: "5000000 700 15\n")
    #expect(thread.switches == 15)
    #expect(thread.cpuTime == .milliseconds(5))
  }

  @Test("what a process has done since an earlier look counts threads that have begun, and not those that have ended")
  func since() {
    func thread(_ switches: Int, _ schedule: String) -> ThreadFigures.Thread {
      ThreadFigures.Thread(status: "voluntary_ctxt_switches:\t\(switches)", schedule: schedule)
    }
    let before = ThreadFigures(["1": thread(10, "1000"), "2": thread(70, "7000")])
    let after = ThreadFigures(["1": thread(14, "1500"), "3": thread(2, "30")])
    let done = after.since(before)
    #expect(done.switches == 6)
    #expect(done.cpuTime == .nanoseconds(530))
  }

  @Test("a process that waits again and again is seen to switch and to run")
  func waiting() async throws {
    let child = try await ChildProcess.start(ChildCommand("sh", ["-c", "while :; do sleep 0.001; done"]))
    let before = try ThreadFigures(process: child.id)
    var done = before.since(before)
    #expect(done.switches == 0 && done.cpuTime == .zero)
    while done.switches < 3 || done.cpuTime == .zero { done = try ThreadFigures(process: child.id).since(before) }
    await child.stop()
  }
}
