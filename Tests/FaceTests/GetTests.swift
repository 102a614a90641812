import Base
import Face
import HTTPFace
import RPC
import TestSupport
import Testing

/// What can be asked for by GET: the contract, and calls whose answers are the same for everybody.
@Suite(.timeLimit(.minutes(1))) struct GetTests {
  private let health = "/grpc.health.v1.Health/Check"

  @Test(
    "a call by its address is answered with a tag, and not again to who has it",
    arguments: [
      "connect=v1&encoding=json&message=%7B%7D", "connect=v1&encoding=json&base64=1&message=e30",
      "encoding=proto&message=",
    ])
  func get(query: String) async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(HTTPBench.head("GET", "\(health)?\(query)"))
    #expect(response.status == 200)
    #expect(response["cache-control"] == "no-cache")
    #expect(body.text == (query.contains("json") ? #"{"status":"SERVING"}"# : "\u{8}\u{1}"))
    let tag = try #require(response["etag"])
    let (weak, _) = await bench.answer(
      HTTPBench.head("GET", "\(health)?\(query)", [("If-None-Match", "W/\(tag)")]))
    #expect(weak.status == 304)
    let (again, nothing) = await bench.answer(
      HTTPBench.head("GET", "\(health)?\(query)", [("If-None-Match", "\"x\", \(tag)")]))
    #expect(again.status == 304)
    #expect(nothing.isEmpty)
  }

  @Test(
    "a query that is no call is refused",
    arguments: [
      ("", "message is missing"), ("message=%7B%7D", "encoding must be"), ("encoding=json&message=%", "malformed"),
      ("encoding=json&message=1&message=2", "twice"), ("encoding=json&base64=1&message=!", "not base64"),
      ("connect=v2&encoding=json&message=%7B%7D", "must be v1"), ("encoding=xml&message=", "encoding must be"),
      ("encoding=json&message=%7B&compression=br", "use gzip"), ("encoding=json&message=%7B", "bad_json"),
    ])
  func badQuery(query: String, says: String) async throws {
    let bench = try HTTPBench()
    let (response, body) = await bench.answer(HTTPBench.head("GET", "\(health)?\(query)"))
    #expect(response.status == 400 || response.status == 501)
    #expect(body.text.contains(says), "\(body.text)")
    #expect(response["cache-control"] == "no-store")
  }

  @Test("a call by its address that is for its caller only is kept nowhere")
  func personal() async throws {
    let bench = try HTTPBench()
    let path = "/assent.interop.v1.InteropService/EmptyCall?encoding=json&message=%7B%7D"
    let key = [("authorization", "Bearer \(HTTPBench.key)")]
    let (response, body) = await bench.answer(HTTPBench.head("GET", path, key))
    #expect(response.status == 200 && body.text == "{}")
    #expect(response["cache-control"] == "no-store" && response["etag"] == nil)
    #expect(await bench.answer(HTTPBench.head("GET", path)).response.status == 401)
  }

  @Test("methods that change nothing answer GET")
  func others() async throws {
    let bench = try HTTPBench()
    let catalogue = try Catalogue.builtIn()
    for method in catalogue.allMethods {
      let path = method.descriptor.path
      let (response, _) = await bench.answer(
        HTTPBench.head("GET", path, [("authorization", "Bearer \(HTTPBench.key)")]))
      let isOpen = method.descriptor.kind == .unary && method.descriptor.idempotency == .noSideEffects
      #expect(response.status == (isOpen ? 400 : 405), "\(path)")
    }
  }

  @Test("the contract is given file by file and as a descriptor set")
  func contract() async throws {
    let bench = try HTTPBench()
    let (list, names) = await bench.answer(HTTPBench.head("GET", "/proto"))
    #expect(list.status == 200)
    let found = try await ChildProcess.output(
      of: ChildCommand("find", [Repository.path("proto"), "-name", "*.proto", "-printf", "%P\n"]))
    #expect(
      Set(names.text.split(separator: "\n").map(String.init)) == Set(found.lines + ["assent.binpb"]),
      "Sources/CDescriptors/descriptors.c names every file of proto/")
    for name in names.text.split(separator: "\n") {
      let (file, bytes) = await bench.answer(HTTPBench.head("GET", "/proto/\(name)"))
      #expect(file.status == 200)
      #expect(try Files.read(Repository.path("proto/\(name)")) == bytes)
    }
    #expect(await bench.answer(HTTPBench.head("GET", "/proto/../gateway")).response.status == 404)
    #expect(await bench.answer(HTTPBench.head("DELETE", "/proto")).response.status == 405)
  }
}
