import Base
import Bus
import InteropContract
import RPC
import TestSupport
import Testing
import Wire

@Suite struct CallOutcomeTests {
  private struct Mishap: Error {}

  private struct NoSuchForm: StatusConvertible {
    var status: Status { Status(.notFound, "form 7 does not exist") }
  }

  @Test("an unexpected error is INTERNAL with an id that is reported, and never its text")
  func unexpectedError() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.outer = { _, _ in throw Mishap() }
    bus.serve([service]) { error, id, method in notes.add("\(error) \(id) \(method.name)") }
    do {
      _ = try await bus.channel().ask(ClosureService.outer)
      Issue.record("the call ended well")
    } catch {
      #expect(error.code == .internal && error.message.hasPrefix("internal_error: "))
      #expect(error.details.map(\.typeName) == ["assent.common.v1.ErrorInfo"])
      #expect(!error.message.contains("Mishap"))
      let id = try #require(error.message.split(separator: " ").last)
      #expect(notes.all == ["Mishap() \(id) Outer"])
    }
  }

  @Test("a caller is told whether a handler has seen the call")
  func notStarted() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    var service = ClosureService()
    service.outer = { _, _ in
      // What a handler makes of another call's outcome says nothing of its own.
      var status = Status(.invalidArgument, "no")
      status.isNotStarted = true
      throw status
    }
    bus.serve([service])
    for (key, isNotStarted) in [(String(repeating: "k", count: 257), true), ("k", false)] {
      let status = await #expect(throws: Status.self) {
        try await bus.channel().ask(ClosureService.outer, options: CallOptions(idempotencyKey: .given(key)))
      }
      #expect(status?.code == .invalidArgument && status?.isNotStarted == isNotStarted)
    }
  }

  @Test("a call that an interceptor of its channel refuses has not started")
  func refusedByInterceptor() async throws {
    struct Refusing: ClientInterceptor {
      func prepare(_ method: MethodDescriptor, options: inout CallOptions) throws(Status) {
        throw Status(.permissionDenied, "no")
      }
    }
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel(interceptors: [Refusing()])
    let status = await #expect(throws: Status.self) { try await channel.ask(ClosureService.outer) }
    #expect(status?.code == .permissionDenied && status?.isNotStarted == true)
  }

  @Test("a handler with more metadata than may travel has failed")
  func tooMuchMetadata() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    var service = ClosureService()
    let most = Metadata.sizeLimit - 33
    service.outer = { request, context in
      let metadata: Metadata = ["k": String(repeating: "v", count: Int(request.text) ?? 0)]
      context.setInitialMetadata(metadata)
      context.setTrailingMetadata(metadata)
      return request
    }
    bus.serve([service])
    #expect(try await bus.channel().ask(ClosureService.outer, "\(most)") == "\(most)")
    let status = await #expect(throws: Status.self) {
      try await bus.channel().ask(ClosureService.outer, "\(most + 1)")
    }
    #expect(status?.code == .internal && status?.message.contains("16385 bytes; at most 16384") == true)
  }

  @Test("the initial metadata of all messages of a stream may together weigh what may travel")
  func tooMuchInitialMetadata() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    var service = ClosureService()
    service.count = { context, responses in
      for _ in 0..<2 {
        context.setInitialMetadata(["k": String(repeating: "v", count: Metadata.sizeLimit - 33)])
        try await responses.send(Payload(text: "1"))
      }
    }
    bus.serve([service])
    let stream = try bus.channel().serverStream(
      ClosureService.count, Payload(), as: Payload.self, options: CallOptions())
    let status = await #expect(throws: Status.self) { for try await _ in stream {} }
    #expect(status?.code == .internal && status?.message.contains("32768 bytes; at most 16384") == true)
  }

  @Test("an answer or a part of a stream that is too large to travel fails the call at the handler, before it is sent")
  func tooLarge() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let notes = Notes()
    var service = ClosureService()
    var large = Payload()
    large.body = [UInt8](repeating: 7, count: BusLimits.largestMessage)
    service.outer = { [large] _, _ in large }
    service.count = { [large] _, responses in
      try await responses.send(Payload(text: "part"))
      do {
        try await responses.send(large)
      } catch {
        notes.add("refused")
        throw error
      }
    }
    bus.serve([service])
    let refusal = await #expect(throws: Status.self) { try await bus.channel().ask(ClosureService.outer) }
    let (count, limit) = (try large.encoded().count, BusLimits.largestMessage)
    let story = "a message has \(count) bytes; at most \(limit) can be sent"
    #expect(refusal == Status(.resourceExhausted, story))
    let stream = try bus.channel().serverStream(
      ClosureService.count, Payload(), as: Payload.self, options: CallOptions())
    let end = await #expect(throws: Status.self) { for try await answer in stream { notes.add(answer.text) } }
    #expect(end == Status(.resourceExhausted, story))
    #expect(notes.all.sorted() == ["part", "refused"])
  }

  @Test("an error of the domain becomes the status that it defines")
  func domainError() async throws {
    let bus = InProcessBus()
    var service = ClosureService()
    service.outer = { _, _ in throw NoSuchForm() }
    bus.serve([service])
    await #expect(throws: Status(.notFound, "form 7 does not exist")) {
      _ = try await bus.channel().ask(ClosureService.outer)
    }
  }

  @Test("cancelling the caller's task cancels the handler's")
  func callerCancels() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.outer = { request, _ in
      notes.add("begun")
      do { try await untilCancelled() } catch { notes.add("cancelled") }
      return request
    }
    bus.serve([service])
    let channel = bus.channel()
    let task = Task { try await channel.ask(ClosureService.outer) }
    _ = await notes.wait(for: 1)
    task.cancel()
    #expect(await notes.wait(for: 2) == ["begun", "cancelled"])
    await #expect(throws: Status.self) { _ = try await task.value }
  }

  @Test("releasing a stream cancels its handler")
  func droppedStream() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.count = { _, responses in
      try await responses.send(Payload(text: "1"))
      do { try await untilCancelled() } catch { notes.add("cancelled") }
    }
    bus.serve([service])
    do {
      let stream = try bus.channel().serverStream(
        ClosureService.count, Payload(), as: Payload.self, options: CallOptions())
      var answers = stream.makeAsyncIterator()
      #expect(try await answers.next()?.text == "1")
    }
    #expect(await notes.wait() == ["cancelled"])
  }

  @Test("the deadline ends the call for its caller and cancels the handler")
  func deadline() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    service.outer = { request, _ in
      do { try await untilCancelled() } catch { notes.add("cancelled") }
      return request
    }
    bus.serve([service])
    do {
      _ = try await bus.channel().ask(ClosureService.outer, options: CallOptions(deadline: .milliseconds(100)))
      Issue.record("the call ended well")
    } catch {
      #expect(error.code == .deadlineExceeded)
    }
    #expect(await notes.wait() == ["cancelled"])
  }

  @Test("a call that wants to wait is answered once a service is there")
  func waitsForReady() async throws {
    let bus = InProcessBus()
    let channel = bus.channel()
    async let answer = channel.ask(ClosureService.look, "here", options: CallOptions(waitsForReady: true))
    bus.serve([ClosureService()])
    #expect(try await answer == "here")
  }

  @Test("a method that is announced and has no handler is unimplemented, and uses no slot")
  func announcedWithoutHandler() async throws {
    struct Hollow: RPCService {
      static let descriptor = ClosureService.descriptor
      var handlers: [MethodHandler] { [.unary(ClosureService.look) { (request: Payload, _) in request }] }
    }
    let bus = InProcessBus()
    bus.serve([Hollow()], slots: 1)
    for _ in 0..<3 {
      do {
        _ = try await bus.channel().ask(ClosureService.outer)
        Issue.record("the call ended well")
      } catch {
        #expect(error.code == .unimplemented)
      }
    }
    #expect(try await bus.channel().ask(ClosureService.look, "free") == "free")
  }

  @Test("a slow reader stops only its own sender")
  func slowReader() async throws {
    let bus = InProcessBus()
    let notes = Notes()
    var service = ClosureService()
    var message = Payload()
    message.body = [UInt8](repeating: 7, count: 10_000)
    service.count = { [message] _, responses in
      for _ in 0..<200 {
        try await responses.send(message)
        notes.add("sent")
      }
    }
    bus.serve([service], slots: 1)
    let channel = bus.channel()
    let stream = try channel.serverStream(ClosureService.count, Payload(), as: Payload.self, options: CallOptions())
    _ = await notes.wait(for: 8)
    for _ in 0..<100 { #expect(try await channel.ask(ClosureService.look, "passes") == "passes") }
    // A window, a message that exceeds it, and what the handler may send before it waits.
    #expect(notes.all.count < 25)
    var received = 0
    for try await answer in stream {
      #expect(answer == message)
      received += 1
    }
    #expect(received == 200)
  }

  @Test("handlers never run on the thread that hosts the bus in process")
  func handlersRunElsewhere() async throws {
    let notes = Notes()
    var service = ClosureService()
    service.look = { request, _ in
      notes.add(String(decoding: try Files.read("/proc/thread-self/comm"), as: UTF8.self))
      return request
    }
    let bus = InProcessBus()
    bus.serve([service])
    let channel = bus.channel()
    let request = try Payload().encoded()
    NativeThread.start(name: "hosts-the-bus", stackBytes: 1 << 20) {
      let call = channel.begin(ClosureService.look, request: request, options: CallOptions())
      Task { _ = try await call.next() }
    }
    #expect(await notes.wait(for: 1).contains("hosts-the-bus\n") == false)
  }
}
