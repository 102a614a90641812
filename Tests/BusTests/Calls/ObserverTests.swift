import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing

@Suite struct ObserverTests {
  private struct Unforeseen: Error {}

  private struct Watching: ServerObserver {
    let notes: Notes

    func observer(of method: MethodDescriptor) -> any MethodObserver { Watch(method: method.name, notes: notes) }

    private final class Watch: MethodObserver {
      private let method: String
      private let notes: Notes

      init(method: String, notes: Notes) {
        self.method = method
        self.notes = notes
      }

      func began() { notes.add("\(method) began") }
      func ended(with code: StatusCode, after nanoseconds: Int64) { notes.add("\(method) \(code)") }
    }
  }

  @Test("an observer learns the code that the caller gets, whatever the handler threw")
  func observer() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.inner = { _, _ in throw Unforeseen() }
    service.outer = { request, _ in
      try await untilCancelled()
      return request
    }
    bus.serve([service], observers: [Watching(notes: notes)])
    let channel = bus.channel()
    _ = try await channel.ask(ClosureService.look)
    #expect(notes.all == ["Look began", "Look OK"])
    await #expect(throws: Status.self) { _ = try await channel.ask(ClosureService.inner) }
    #expect(notes.all.suffix(2) == ["Inner began", "Inner INTERNAL"])
    let options = CallOptions(deadline: .milliseconds(20))
    await #expect(throws: Status.self) { _ = try await channel.ask(ClosureService.outer, options: options) }
    #expect(await notes.wait(for: 6).suffix(2) == ["Outer began", "Outer DEADLINE_EXCEEDED"])
  }
}
