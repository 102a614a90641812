import Base
import Synchronization
import Testing

@testable import ServiceKit

@Suite struct LifecycleTests {
  private final class Order: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  @Test("parts stop in the reverse order of their start")
  func reverse() async {
    let order = Order()
    let lifecycle = Lifecycle(log: .silent)
    for name in ["database", "bus", "listener"] { await lifecycle.onStop(name) { order.add(name) } }
    #expect(await lifecycle.stop(within: .seconds(10)) == [])
    #expect(order.all == ["listener", "bus", "database"])
  }

  @Test("a part that fails to stop is named and does not keep the others from stopping")
  func failing() async {
    struct Stuck: Error {}
    let order = Order()
    let capture = LogCapture()
    let lifecycle = Lifecycle(log: capture.log())
    await lifecycle.onStop("first") { order.add("first") }
    await lifecycle.onStop("second") { throw Stuck() }
    #expect(await lifecycle.stop(within: .seconds(10)) == ["second"])
    #expect(order.all == ["first"])
    #expect(capture.events(named: "part failed to stop").first?["part"] == .text("second"))
  }

  @Test("a part that ignores the limit and its cancellation is not waited for")
  func late() async {
    let order = Order()
    let (released, release) = AsyncStream<Void>.makeStream()
    let lifecycle = Lifecycle(log: .silent)
    await lifecycle.onStop("first", limit: .seconds(60)) { order.add("first") }
    await lifecycle.onStop("stuck") {
      // Waits in a task of its own, which the cancellation does not reach.
      await Task { for await _ in released {} }.value
    }
    #expect(await lifecycle.stop(within: .milliseconds(20)) == ["stuck"])
    #expect(order.all == ["first"])
    release.finish()
  }

  @Test("a part with its own limit may use it")
  func ownLimit() async {
    let lifecycle = Lifecycle(log: .silent)
    await lifecycle.onStop("patient", limit: .seconds(10)) { try await Task.sleep(for: .milliseconds(20)) }
    #expect(await lifecycle.stop(within: .zero) == [])
  }

  @Test("a process is ready from when it has started until it drains, whatever operators are told meanwhile")
  func readiness() {
    let readiness = Readiness()
    #expect(readiness.look().phase == .starting)
    readiness.tell("database") { "it cannot be written" }
    readiness.enter(.ready)
    #expect(readiness.look().phase == .ready)
    #expect(readiness.notices == ["database: it cannot be written"])
    readiness.enter(.draining)
    #expect(readiness.look().phase == .draining)
  }

  @Test("everyone who waits learns of the first request to end, also later; only the first counts as first")
  func endRequest() async {
    let end = EndRequest()
    #expect(!end.isMade)
    #expect(end.make("SIGTERM"))
    #expect(!end.make("SIGINT"))
    #expect(end.isMade)
    #expect(await end.wait() == "SIGTERM")
  }
}
