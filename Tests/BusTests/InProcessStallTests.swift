import Base
import Bus
import Interop
import InteropContract
import RPC
import Synchronization
import Testing

@Suite struct InProcessStallTests {
  /// A clock that can jump forward, as it does for a process that did not run for a while.
  private final class SkippingClock: Sendable {
    private let skipped = Mutex(Duration.zero)

    func skip(_ duration: Duration) {
      skipped.withLock { $0 += duration }
    }

    var clock: Clock {
      Clock(wall: { Clock.system.now }, monotonic: { [self] in Clock.system.monotonic + skipped.withLock { $0 } })
    }
  }

  @Test("a process that did not run for ten seconds does not take its peers for dead")
  func stall() async throws {
    let time = SkippingClock()
    let bus = InProcessBus(clock: time.clock)
    bus.serve([InteropHandlers(instance: "one")])
    // The time that is skipped counts against the deadline too.
    let call = InteropServiceClient(bus.channel()).fullDuplexCall(deadline: .seconds(600))
    var responses = call.responses.makeAsyncIterator()
    for _ in 0..<2 {
      var request = StreamingOutputCallRequest()
      var parameters = ResponseParameters()
      parameters.size = 3
      request.responseParameters = [parameters]
      try await call.requests.send(request)
      #expect(try await responses.next()?.payload?.body.count == 3)
      time.skip(.seconds(10))
    }
    call.requests.finish()
    #expect(try await responses.next() == nil)
  }
}
