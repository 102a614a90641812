import Base
import Bus
import InteropContract
import RPC
import Testing

@Suite struct NestedCallTests {
  @Test("a nested call has no more time than the call that makes it, and less if it asks for less")
  func deadlines() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    var service = ClosureService()
    service.inner = { _, context in Payload(text: String(context.remaining.wholeMilliseconds)) }
    service.outer = { _, _ in
      var short = CallOptions()
      short.deadline = .seconds(2)
      let texts = [
        try await channel.ask(ClosureService.inner), try await channel.ask(ClosureService.inner, options: short),
      ]
      return Payload(text: texts.joined(separator: " "))
    }
    bus.serve([service])
    let answer = try await channel.ask(ClosureService.outer, options: CallOptions(deadline: .seconds(9)))
    let remaining = answer.split(separator: " ").compactMap { Int($0) }
    #expect(remaining.count == 2)
    #expect(remaining[0] <= 9_000 && remaining[0] > 2_000)
    #expect(remaining[1] <= 2_000)
  }

  @Test("nested mutations derive their keys: the same ones when the handler runs again, different ones for each method")
  func keys() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    let notes = Notes()
    var service = ClosureService()
    service.inner = { request, context in
      notes.add("inner \(context.idempotencyKey)")
      return request
    }
    service.look = { request, context in
      notes.add("look \(context.idempotencyKey)")
      return request
    }
    service.outer = { request, context in
      notes.add("outer \(context.idempotencyKey)")
      _ = try await channel.ask(ClosureService.inner)
      _ = try await channel.ask(ClosureService.inner)
      _ = try await channel.ask(ClosureService.look)
      if context.attempt == 1 { throw Status(.unavailable, "once more") }
      return request
    }
    bus.serve([service])
    _ = try await channel.ask(ClosureService.outer, options: CallOptions(idempotencyKey: .given("k")))
    let once = ["outer k", "inner k/Inner/1", "inner k/Inner/2", "look "]
    #expect(notes.all == once + once)
  }

  @Test("a handler further down that always answers UNAVAILABLE runs five times in all, however deep it is")
  func oneBudget() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    let notes = Notes()
    var service = ClosureService()
    service.look = { _, _ in
      notes.add("look")
      throw Status(.unavailable, "busy")
    }
    service.inner = { request, _ in Payload(text: try await channel.ask(ClosureService.look, request.text)) }
    service.outer = { request, _ in Payload(text: try await channel.ask(ClosureService.inner, request.text)) }
    bus.serve([service])
    let refused = await #expect(throws: Status.self) { try await channel.ask(ClosureService.outer) }
    #expect(refused?.code == .unavailable && refused?.message == "busy")
    #expect(refused?.metadata["attempts-left"] == "0")
    #expect(notes.all.count == 5)
  }

  @Test(
    "the digest of a key stands in nested keys only where these would be too long",
    arguments: [129, 200, 248, 249, 256])
  func keysOfEarlierVersions(count: Int) async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    let notes = Notes()
    var service = ClosureService()
    service.inner = { request, context in
      notes.add(context.idempotencyKey)
      return request
    }
    service.outer = { request, _ in Payload(text: try await channel.ask(ClosureService.inner, request.text)) }
    bus.serve([service])
    let key = String(repeating: "k", count: count)
    _ = try await channel.ask(ClosureService.outer, options: CallOptions(idempotencyKey: .given(key)))
    let fits = count + "/Inner/1".count <= BusLimits.longestIdempotencyKey
    #expect(notes.all == [(fits ? key : Digest(of: Array(key.utf8)).hex) + "/Inner/1"])
  }

  @Test("a key of any length that is permitted leads to nested keys that are, the same ones when the call is repeated")
  func longKeys() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    let notes = Notes()
    var service = ClosureService()
    service.outer = { request, context in
      notes.add(context.idempotencyKey)
      guard let depth = Int(request.text), depth > 0 else { return request }
      return Payload(text: try await channel.ask(ClosureService.outer, String(depth - 1)))
    }
    bus.serve([service])
    let key = String(repeating: "k", count: BusLimits.longestIdempotencyKey)
    for _ in 0..<2 {
      _ = try await channel.ask(ClosureService.outer, "9", options: CallOptions(idempotencyKey: .given(key)))
    }
    #expect(notes.all.count == 20)
    #expect(notes.all[..<10] == notes.all[10...])
    #expect(Set(notes.all).count == 10)
  }

  @Test("outside of handlers every mutation gets its own key, unless it asks for none")
  func automaticKeys() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let notes = Notes()
    var service = ClosureService()
    service.outer = { request, context in
      notes.add(context.idempotencyKey)
      return request
    }
    bus.serve([service])
    let channel = bus.channel()
    _ = try await channel.ask(ClosureService.outer)
    _ = try await channel.ask(ClosureService.outer)
    _ = try await channel.ask(ClosureService.outer, options: CallOptions(idempotencyKey: .none))
    #expect(Set(notes.all).count == 3)
    #expect(notes.all[0].count > 36)
    #expect(notes.all[2].isEmpty)
  }

  @Test("a key that is longer than permitted is refused before anything is sent")
  func keyThatIsTooLong() async throws {
    let bus = InProcessBus()
    let key = String(repeating: "k", count: BusLimits.longestIdempotencyKey + 1)
    let channel = bus.channel()
    // Nobody answers on this bus any more.
    bus.stop()
    let refused = await #expect(throws: Status.self) {
      try await channel.ask(ClosureService.outer, options: CallOptions(idempotencyKey: .given(key)))
    }
    #expect(refused?.code == .invalidArgument && refused?.isNotStarted == true)
    #expect(refused?.message.contains("257 bytes") == true)
  }

  @Test("a caller with more roles than travel is refused before anything is sent, and other calls go on")
  func largeCaller() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let notes = Notes()
    var service = ClosureService()
    service.outer = { request, context in
      notes.add("\(context.identity.grants.count)")
      return request
    }
    bus.serve([service])
    let channel = bus.channel(for: CallerIdentity(kind: .service, subject: "account"))
    func ask(_ roles: Int) async throws {
      let grants = [String](repeating: "witness@heart", count: roles)
      let caller = CallerIdentity(kind: .person, tenant: "t1", subject: "anna", grants: grants)
      _ = try await channel.acting(for: caller).ask(ClosureService.outer)
    }
    let refused = await #expect(throws: Status.self) { try await ask(5000) }
    #expect(refused?.code == .invalidArgument && refused?.message.contains("32768") == true)
    try await ask(100)
    #expect(notes.all == ["100"])
  }

  @Test("trace and caller are passed on to nested calls")
  func inheritance() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let inside = bus.channel()
    var service = ClosureService()
    service.inner = { _, context in
      Payload(
        text: "\(context.metadata["traceparent"] ?? "") \(context.metadata["other"] ?? "none") "
          + context.identity.subject)
    }
    service.outer = { _, _ in Payload(text: try await inside.ask(ClosureService.inner)) }
    bus.serve([service])
    let client = bus.channel(for: CallerIdentity(kind: .person, tenant: "t", subject: "ann"))
    let options = CallOptions(metadata: ["traceparent": "00-abc", "other": "x"])
    #expect(try await client.ask(ClosureService.outer, options: options) == "00-abc none ann")
  }

  @Test("calls that make calls cannot deadlock, even with one slot for all of them")
  func oneSlot() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    let channel = bus.channel()
    var service = ClosureService()
    service.outer = { request, _ in
      guard let depth = Int(request.text), depth > 0 else { return Payload(text: "bottom") }
      return Payload(text: try await channel.ask(ClosureService.outer, String(depth - 1)))
    }
    bus.serve([service], slots: 1)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await channel.ask(ClosureService.outer, "5") } }
      for try await answer in group { #expect(answer == "bottom") }
    }
  }

  @Test("a handler that waits for its caller's next message holds no slot")
  func waitingForMessages() async throws {
    let bus = InProcessBus()
    defer { bus.stop() }
    var service = ClosureService()
    service.talk = { requests, responses in
      for try await request in requests { try await responses.send(request) }
    }
    bus.serve([service], slots: 1)
    let channel = bus.channel()
    let calls = (0..<3).map { _ in
      channel.bidirectional(ClosureService.talk, Payload.self, as: Payload.self, options: CallOptions())
    }
    for round in 0..<3 {
      for call in calls {
        try await call.requests.send(Payload(text: "\(round)"))
        var answers = call.responses.makeAsyncIterator()
        #expect(try await answers.next()?.text == "\(round)")
      }
    }
    #expect(try await channel.ask(ClosureService.look, "still there") == "still there")
  }
}
