import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing

@Suite struct InterceptorTests {
  private struct Noting: ServerInterceptor {
    let name: String
    let notes: Notes

    func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws {
      notes.add("\(name) before")
      do {
        try await next(context)
        notes.add("\(name) after")
      } catch {
        notes.add("\(name) saw \(error)")
        throw error
      }
    }
  }

  private struct Identifying: ServerInterceptor {
    func intercept(_ context: CallContext, next: (CallContext) async throws -> Void) async throws {
      guard let token = context.metadata["token"] else { throw Status(.unauthenticated, "no token") }
      try await next(context.identified(as: CallerIdentity(kind: .person, tenant: "t", subject: token)))
    }
  }

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

  private struct Stamping: ClientInterceptor {
    let notes: Notes

    func prepare(_ method: MethodDescriptor, options: inout CallOptions) throws(Status) {
      if method == ClosureService.inner { throw Status(.permissionDenied, "not through here") }
      try options.metadata.add("stamp", "yes")
    }

    func finished(_ method: MethodDescriptor, with status: Status) { notes.add("\(method.name) \(status.code)") }
  }

  @Test("the first of a list is outermost, and sees what the handler throws")
  func order() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.inner = { _, _ in throw Status(.aborted, "so") }
    bus.serve([service], interceptors: [Noting(name: "one", notes: notes), Noting(name: "two", notes: notes)])
    _ = try await bus.channel().ask(ClosureService.look)
    #expect(notes.all == ["one before", "two before", "two after", "one after"])
    await #expect(throws: Status(.aborted, "so")) { _ = try await bus.channel().ask(ClosureService.inner) }
    #expect(notes.all.suffix(2) == ["two saw ABORTED: so", "one saw ABORTED: so"])
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

  @Test("an interceptor may refuse, and may set the caller: for the handler and for the calls that it makes")
  func identity() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    var service = ClosureService()
    service.inner = { _, context in Payload(text: context.identity.subject) }
    service.outer = { _, context in
      let inner = try await channel.ask(ClosureService.inner, options: CallOptions(metadata: ["token": "inner"]))
      return Payload(text: "\(context.identity.subject) \(CallContext.current?.identity.subject ?? "") \(inner)")
    }
    bus.serve([service], interceptors: [Identifying()])
    await #expect(throws: Status(.unauthenticated, "no token")) { _ = try await channel.ask(ClosureService.outer) }
    let options = CallOptions(metadata: ["token": "ann"])
    #expect(try await channel.ask(ClosureService.outer, options: options) == "ann ann inner")
  }

  @Test("a client's interceptor changes options, refuses, and learns the outcome of calls")
  func client() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.look = { _, context in Payload(text: context.metadata["stamp"] ?? "none") }
    service.outer = { _, _ in throw Status(.outOfRange, "") }
    bus.serve([service])
    let channel = bus.channel(interceptors: [Stamping(notes: notes)])
    #expect(try await channel.ask(ClosureService.look) == "yes")
    await #expect(throws: Status(.outOfRange, "")) { _ = try await channel.ask(ClosureService.outer) }
    await #expect(throws: Status(.permissionDenied, "not through here")) {
      _ = try await channel.ask(ClosureService.inner)
    }
    #expect(notes.all == ["Look OK", "Outer OUT_OF_RANGE"])
  }
}
