import CommonContract
import InteropContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Testing

@Suite("Events and readings", .timeLimit(.minutes(2))) struct EventTests {
  private let pass: NoteService.Answering = { request, _ in request }

  @Test("a page has the events of one type and says where the next begins", arguments: TestEngine.allCases)
  func pages(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { transaction in
      for name in ["a", "b"] { try transaction.append(.noted, name, to: "s") }
      try transaction.append(.other, "x", to: "s")
      try transaction.append(.noted, "c", to: "s")
    }
    let (first, next) = try await scope.read { snapshot in
      try snapshot.events(.noted, after: EventPosition(token: ""), limit: 3) { "\($0.sequence)\($1)" }
    }
    #expect(first == ["1a", "2b"] && next.sequence == 3)
    let (second, end) = try await scope.read { snapshot in
      try snapshot.events(.noted, after: next, limit: 3) { _, name in name == "c" ? name : nil }
    }
    #expect(second == ["c"] && end.sequence == 4)
    let (none, stillEnd) = try await scope.read { snapshot in
      try snapshot.events(.noted, after: end, limit: 3) { _, name in name }
    }
    #expect(none.isEmpty && stillEnd == end)
  }

  @Test("a log that was restored does not know a position beyond its backup", arguments: TestEngine.allCases)
  func restored(engine: TestEngine) async throws {
    func log(_ names: [String]) async throws -> PolicyBench {
      let bench = try await PolicyBench(engine)
      for name in names {
        try await bench.test.database.scope(.named("clinic")).write { try $0.append(.noted, name, to: "s") }
      }
      return bench
    }
    func page(
      _ bench: PolicyBench, after position: EventPosition, limit: Int = 9
    ) async throws -> (items: [String], next: EventPosition) {
      try await bench.test.database.scope(.named("clinic")).read { snapshot in
        try snapshot.events(.noted, after: position, limit: limit) { $1 }
      }
    }
    let lost = try await log(["a", "b", "c"])
    let token = try await page(lost, after: EventPosition(token: ""), limit: 2).next.token
    let position = try EventPosition(token: token)
    #expect(position.token == token && position.sequence == 2)
    let rest = try await page(lost, after: position)
    let end = try await lost.test.database.scope(.named("clinic")).read { try EventPosition(endOf: $0) }
    #expect(rest.items == ["c"] && rest.next == end)
    // The same number stands for another event, or for none.
    for names in [["a", "x", "y"], ["a"], []] {
      let restored = try await log(names)
      let refusal = await #expect(throws: Refusal.self) { try await page(restored, after: position) }
      #expect(refusal?.rule == "position_unknown" && refusal?.kind == .precondition, "\(names)")
    }
    // Whoever names nothing but a number is believed.
    #expect(try await page(log(["a", "x", "y"]), after: EventPosition(token: "2")).items == ["y"])
  }

  @Test("a watch sends earlier events, then new ones, and uses no slot meanwhile", arguments: TestEngine.allCases)
  func watching(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { try $0.keep("before") }
    let channel = bench.channel(
      slots: 1,
      watch: { context, responses in
        try await bench.data.watchEvents(
          .noted, after: EventPosition(token: ""), context, of: { _, _ in AccessTarget.tenant }
        ) { _, name in
          try await responses.send(Payload(text: name))
        }
      },
      put: { request, context in
        try await bench.data.once(request, context, of: .tenant) { transaction, _, _ in
          try transaction.keep(request.text)
          return request
        }
      })
    var watched = try channel.watch().makeAsyncIterator()
    #expect(try await watched.next()?.text == "before")
    // There is one slot, and the watch has begun: this call is answered only because a watch gives its slot up.
    #expect(try await channel.put("later") == "later")
    #expect(try await watched.next()?.text == "later")
  }

  @Test("when the process ends, a watch is UNAVAILABLE and says where to resume")
  func ending() async throws {
    let bench = try await PolicyBench()
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { try $0.keep("only") }
    let channel = bench.channel(
      watch: { context, responses in
        try await bench.data.watchEvents(
          .noted, after: EventPosition(token: ""), context, of: { _, _ in AccessTarget.tenant }
        ) { _, name in
          try await responses.send(Payload(text: name))
        }
      }, put: pass)
    var watched = try channel.watch().makeAsyncIterator()
    _ = try await watched.next()
    await bench.test.database.close()
    let end = await status { _ = try await watched.next() }
    #expect(end?.code == .unavailable, "\(String(describing: end))")
    #expect(end?.info?.rule == "shutting_down")
  }

  @Test(
    "a token that is no number of an event is refused",
    arguments: [
      "-1", "x", "9223372036854775808", " ", "1.", "1.2", "1.zzzzzzzzzzzzzzzz", "1.0011223344556677.",
      ".0011223344556677",
    ])
  func badTokens(token: String) {
    let refusal = #expect(throws: Refusal.self) { try EventPosition(token: token) }
    #expect(refusal?.rule == "bad_page_token" && refusal?.field == "page_token")
  }

  @Test(
    "a reading by whatever key is on record when the answer arrives, with who, what and why; the subject's own is not",
    arguments: TestEngine.allCases)
  func readings(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let subject = try Subject.named("bea")
    let scope = bench.test.database.scope(.named("clinic"))
    try await scope.write { try $0.vault.put([7], as: "name", of: subject) }
    // What was written is committed to by an event of its own.
    let written = try await scope.read { try $0.lastEvent() }
    let reading: NoteService.Answering = { _, context in
      try await bench.data.disclose(context, of: { _, _ in AccessTarget.tenant }) { snapshot, _, disclosure in
        disclosure.note("name", of: subject, for: "visit")
        return Payload(text: "\(try snapshot.vault.get("name", of: subject) ?? [])")
      }
    }
    #expect(try await bench.channel(.person, as: "bea", put: reading).put("") == "[7]")
    let unread = try await scope.read { try $0.lastEvent() }
    #expect(unread == written)
    for (kind, reader) in [(CallerKind.person, "ines"), (.device, "pad"), (.service, "consent")] {
      #expect(try await bench.channel(kind, as: reader, put: reading).put("") == "[7]")
      let event = try #require(try await scope.read { try $0.events(after: 0).last })
      let told = try #require(try event.access())
      #expect(told.kind == .read && told.subjectID == "bea" && told.actor == reader && told.callerKind == kind.word)
      #expect(told.item == "name" && told.purpose == "visit" && told.method == "test.v1.Notes/Put")
      #expect(told.capacity == "public" && told.deviceID == "pad")
    }
  }

  @Test("a reading that fails is not recorded")
  func failedReading() async throws {
    let bench = try await PolicyBench()
    let subject = try Subject.named("bea")
    let channel = bench.channel(.device) { _, context in
      try await bench.data.disclose(context, of: { _, _ in AccessTarget.tenant }) { _, _, disclosure -> Payload in
        disclosure.note("name", of: subject, for: "visit")
        throw Refusal.notFound("note", "n1")
      }
    }
    let refusal = await status { _ = try await channel.put("") }
    #expect(refusal?.code == .notFound && refusal?.info?.rule == "unknown_note")
    #expect(try await bench.test.database.scope(.named("clinic")).read { try $0.lastEvent() } == 0)
  }
}
