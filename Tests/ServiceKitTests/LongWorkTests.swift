import ServiceKit
import Testing

@Suite struct LongWorkTests {
  @Test("long work says again and again how far it is, and nothing before there is something to say")
  func told() async {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let said = await LongWork(every: .milliseconds(1), tell: { line.yield($0) }).run { reach in
      reach(7, "rows are written")
      var heard: [String] = []
      for await next in lines {
        heard.append(next)
        if heard.count == 2 { break }
      }
      return heard
    }
    #expect(said == ["… 7 rows are written", "… 7 rows are written"])
  }

  @Test("work that ends soon says nothing, and its result or error is passed on")
  func quick() async throws {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let work = LongWork(tell: { line.yield($0) })
    let result = await work.run { reach in
      reach(1, "rows are written")
      return 5
    }
    await #expect(throws: CancellationError.self) { try await work.run { _ in throw CancellationError() } }
    line.finish()
    #expect(result == 5)
    for await next in lines { Issue.record("\(next)") }
  }
}
