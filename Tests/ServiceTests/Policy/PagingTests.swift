import CommonContract
import InteropContract
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Testing

@Suite("Pages", .timeLimit(.minutes(2))) struct PagingTests {
  @Test("a size out of bounds is refused with field and bound", arguments: [-1, 1001, Int32.max, Int32.min])
  func sizes(size: Int32) async throws {
    let refusal = try #require(throws: Refusal.self) { try PageRequest(size: size) }
    #expect(refusal.kind == .invalid && refusal.rule == "page_size_out_of_bounds" && refusal.field == "page_size")
    #expect(refusal.message.contains("\(size)") && refusal.message.contains("1 to 1000"))
  }

  @Test("0 stands for the usual size; up to the bound a caller gets the size that it asks for")
  func bounds() throws {
    #expect(try PageRequest(size: 0).limit == 100)
    #expect(try PageRequest(size: 1).limit == 1)
    #expect(try PageRequest(size: 1000).limit == 1000)
    #expect(try PageRequest(size: 0, token: "").cursor == nil)
  }

  @Test("page after page shows every entry once, and the last one has no token", arguments: TestEngine.allCases)
  func walk(engine: TestEngine) async throws {
    let bench = try await PolicyBench(engine)
    let names = (0..<7).map { "n\($0)" }
    try await bench.test.database.scope(.named("clinic")).write { for name in names { try $0.keep(name) } }
    var seen: [String] = []
    var token = ""
    var pages = 0
    repeat {
      let page = try PageRequest(size: 3, token: token)
      let (rows, next) = try await bench.test.database.scope(.named("clinic")).read { snapshot in
        let page = try snapshot.page(NoteTable.list, at: page)
        return (try page.rows.map { try $0.get("id", as: String.self) }, page.nextToken)
      }
      seen += rows
      token = next
      pages += 1
    } while !token.isEmpty
    #expect(seen == names && pages == 3)
  }

  @Test("a list in memory has the same pages, and refuses a token that names nothing on it")
  func inMemory() throws {
    let names = (0..<7).map { "n\($0)" }
    func page(_ size: Int32, _ token: String) throws -> (things: [String], nextToken: String) {
      try PageRequest(size: size, token: token).page(of: names) { $0 }
    }
    var seen: [String] = []
    var token = ""
    var pages = 0
    repeat {
      let page = try page(3, token)
      seen += page.things
      token = page.nextToken
      pages += 1
    } while !token.isEmpty
    #expect(seen == names && pages == 3)
    #expect(try page(7, "").nextToken.isEmpty)
    #expect(try page(0, "n6").things.isEmpty)
    let error = #expect(throws: DatabaseError.self) { _ = try page(3, "n") }
    #expect(error?.code == .badCursor)
  }

  @Test("a token that no list issued, or another one did, is refused", arguments: ["garbage", "!", ""])
  func strangeTokens(token: String) async throws {
    let bench = try await PolicyBench()
    try await bench.test.database.scope(.named("clinic")).write { for name in ["a", "b"] { try $0.keep(name) } }
    let others = try await bench.test.database.scope(.named("clinic")).read {
      try $0.page(NoteTable.other, at: try PageRequest(size: 1)).nextToken
    }
    let channel = bench.channel { request, context in
      let page = try PageRequest(size: 1, token: request.text)
      return try await bench.data.read(context, of: .tenant) { snapshot, _, _ in
        Payload(text: try snapshot.page(NoteTable.list, at: page).nextToken)
      }
    }
    let refusal = await status { _ = try await channel.put(token.isEmpty ? others : token) }
    #expect(refusal?.code == .invalidArgument && refusal?.info?.rule == "bad_page_token")
    #expect(refusal?.info?.field == "page_token")
  }
}
