import Base
import Bus
import Face
import FaceTestKit
import GatewayContract
import HTTPFace
import RPC
import SignatureContract
import Synchronization
import TestSupport
import Testing
import Wire

/// Files by addresses that a browser can use.
@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
  /// Answers with the bytes 0 to 99, and says of them what the test wants.
  private struct Pictures: RenderServiceProtocol {
    var type = "image/png"
    var count = 100

    func render(_ request: RenderRequest, context: CallContext) async throws -> RenderResponse {
      guard case .signatureID("s-1") = request.source else { throw Status(.notFound, "no_signature: there is none") }
      guard context.identity.subject == "kiosk" else { throw Status(.permissionDenied, "not_yours: who are you?") }
      return RenderResponse(image: (0..<count).map { UInt8(truncatingIfNeeded: $0) }, mediaType: type)
    }

    func renderBatch(
      _ requests: RequestStream<RenderBatchRequest>, context: CallContext,
      responses: ResponseWriter<RenderBatchResponse>
    ) async throws {}
  }

  private static let render = "assent.signature.v1.RenderService/Render"

  private func bench(
    type: String = "image/png", count: Int = 100, key: HTTPBench.OneKey? = nil, clock: Base.Clock = .system,
    news: RevocationNews = RevocationNews()
  ) throws -> HTTPBench {
    let bench = try HTTPBench(key: key, clock: clock, news: news)
    bench.bus.serve([Pictures(type: type, count: count)])
    return bench
  }

  private func create(_ wish: CreateDownloadRequest, on bench: HTTPBench) async throws -> (Int, [UInt8]) {
    let head = HTTPBench.head(
      "POST", "/assent.gateway.v1.GatewayService/CreateDownload",
      [("Content-Type", "application/json"), ("Authorization", "Bearer \(HTTPBench.key)")])
    let (response, body) = await bench.answer(head, try wish.json())
    return (response.status, body)
  }

  private func path(
    on bench: HTTPBench, id: String = "s-1", name: String = "", attachment: Bool = false, lifetime: UInt32 = 60_000
  ) async throws -> String {
    let wish = CreateDownloadRequest(
      method: Self.render, request: #"{"signatureId": "\#(id)"}"#, fileName: name, attachment: attachment,
      lifetimeMs: lifetime)
    let (status, body) = try await create(wish, on: bench)
    try #require(status == 200, "\(body.text)")
    return try CreateDownloadResponse(json: body).path
  }

  private func fetch(
    _ path: String, on bench: HTTPBench, _ headers: [(String, String)] = [], method: String = "GET"
  ) async -> (response: HTTPResponse, body: [UInt8]) {
    await bench.answer(HTTPBench.head(method, path, headers))
  }

  @Test("a browser gets the file by its address alone, and is told to trust nothing in it")
  func file() async throws {
    let bench = try bench()
    let (response, body) = await fetch(try await path(on: bench), on: bench)
    #expect(response.status == 200)
    #expect(body == [UInt8](0..<100))
    #expect(response["content-type"] == "image/png")
    #expect(response["content-disposition"] == "inline")
    #expect(response["x-content-type-options"] == "nosniff")
    #expect(response["cache-control"] == "no-store")
    #expect(response["referrer-policy"] == "no-referrer")
    #expect(response["content-security-policy"]?.contains("sandbox") == true)
    #expect(response["accept-ranges"] == "bytes")
  }

  @Test("an address waits until it is known whether its maker's key was revoked")
  func rest() async throws {
    let time = SteppedClock()
    let news = RevocationNews(clock: time.clock)
    news.answerAll()
    var key = HTTPBench.OneKey()
    key.followsNews = true
    let bench = try bench(key: key, news: news)
    let path = try await path(on: bench)
    time.advance(by: .seconds(5))
    let exchange = bench.desk.open(HTTPBench.head("GET", path))
    exchange.endBody()
    #expect(bench.doorway.heldUntil != nil)
    news.answerAll()
    bench.doorway.deliver()
    while exchange.response == nil { await bench.news() }
    #expect(exchange.response?.status == 200)
    exchange.close(wasComplete: true)
  }

  @Test("a name for the file is told in both forms, and to be saved if that was asked for")
  func name() async throws {
    let bench = try bench()
    let path = try await path(on: bench, name: "Übersicht \"1\".png", attachment: true)
    let (response, _) = await fetch(path, on: bench)
    #expect(
      response["content-disposition"]
        == "attachment; filename=\"_bersicht _1_.png\"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.png")
  }

  @Test(
    "a media type that is none becomes bytes of any kind", arguments: ["", "png", "text/html\r\nx: y", "a/b/c", "/"])
  func types(type: String) async throws {
    let bench = try bench(type: type)
    let (response, _) = await fetch(try await path(on: bench), on: bench)
    #expect(response["content-type"] == "application/octet-stream")
  }

  @Test(
    "a part is answered as such",
    arguments: [
      ("bytes=0-9", 206, "bytes 0-9/100", 0..<10), ("bytes=90-", 206, "bytes 90-99/100", 90..<100),
      ("bytes=-5", 206, "bytes 95-99/100", 95..<100), ("bytes=-500", 206, "bytes 0-99/100", 0..<100),
      ("bytes=50-4000", 206, "bytes 50-99/100", 50..<100), ("bytes=9-3", 200, nil, 0..<100),
      ("bytes=0-1,5-6", 200, nil, 0..<100), ("lines=0-1", 200, nil, 0..<100), ("bytes=a-b", 200, nil, 0..<100),
      ("bytes=", 200, nil, 0..<100), ("bytes=--1", 200, nil, 0..<100),
    ])
  func ranges(range: String, status: Int, shown: String?, bytes: Range<Int>) async throws {
    let bench = try bench()
    let (response, body) = await fetch(try await path(on: bench), on: bench, [("Range", range)])
    #expect(response.status == status)
    #expect(response["content-range"] == shown)
    #expect(body == bytes.map(UInt8.init))
  }

  @Test("a part beyond the end is refused with the length", arguments: ["bytes=100-", "bytes=200-300", "bytes=-0"])
  func beyond(range: String) async throws {
    let bench = try bench()
    let (response, _) = await fetch(try await path(on: bench), on: bench, [("Range", range)])
    #expect(response.status == 416)
    #expect(response["content-range"] == "bytes */100")
  }

  @Test("a client that has the file is told so, and a part of another file is not given")
  func tags() async throws {
    let bench = try bench()
    let path = try await path(on: bench)
    let tag = try #require(await fetch(path, on: bench).response["etag"])
    let known = await fetch(path, on: bench, [("If-None-Match", "\"other\", \(tag)")])
    #expect(known.response.status == 304)
    #expect(known.body.isEmpty)
    let same = await fetch(path, on: bench, [("If-Range", tag), ("Range", "bytes=0-0")])
    #expect(same.response.status == 206)
    let other = await fetch(path, on: bench, [("If-Range", "\"other\""), ("Range", "bytes=0-0")])
    #expect(other.response.status == 200)
  }

  @Test("a large file is hashed by other threads than the door's, and whoever goes meanwhile is cancelled")
  func large() async throws {
    let bench = try bench(count: 3 << 20)
    let path = try await path(on: bench)
    let exchange = bench.desk.open(HTTPBench.head("GET", path, [("Range", "bytes=1000-1999")]))
    exchange.endBody()
    var turns = 0
    while exchange.response == nil {
      await bench.news()
      turns += 1
    }
    // The turn that takes the answer does not make the response.
    #expect(turns > 1)
    let response = try #require(exchange.response)
    #expect(response.status == 206 && response["content-range"] == "bytes 1000-1999/\(3 << 20)")
    #expect(response["etag"]?.count == 34)
    exchange.close(wasComplete: true)
    #expect(bench.finished.last?.bytesOut == 1000 && bench.finished.last?.code == .ok)

    let gone = bench.desk.open(HTTPBench.head("GET", path))
    gone.endBody()
    while bench.doorway.openCalls > 0 { await bench.news() }
    #expect(gone.response == nil)
    let places = bench.doorway.gatekeeper.openCalls
    #expect(places.count == 1)
    gone.close(wasComplete: false)
    #expect(places.count == 0)
    #expect(bench.finished.last?.code == .cancelled && bench.finished.last?.httpStatus == 499)
    // What comes after it is done, and what it asked for is not heard of any more.
    #expect(await fetch(path, on: bench, [("Range", "bytes=0-9")]).response.status == 206)
    #expect(gone.response == nil)
  }

  @Test("an address is good for one file, unaltered")
  func altered() async throws {
    let bench = try bench()
    let path = try await path(on: bench)
    for wrong in [
      path + "A", String(path.dropLast(4)), "/downloads/", "/downloads/AAAA", path.replacing("/d", with: "/D"),
    ] {
      #expect(await fetch(wrong, on: bench).response.status == 404, "\(wrong.prefix(20))")
    }
    var letters = Array(path)
    letters[40] = letters[40] == "A" ? "B" : "A"
    #expect(await fetch(String(letters), on: bench).response.status == 404)
    #expect(await fetch(path, on: bench, method: "POST").response.status == 405)
    #expect(!path.contains("kiosk") && !path.contains("s-1"))
  }

  @Test("an address ends when it was said to")
  func expiry() async throws {
    let offset = Mutex<Int64>(0)
    let clock = Base.Clock(
      wall: { Instant(millisecondsSince1970: 1_800_000_000_000 + offset.withLock { $0 }) },
      monotonic: { Clock.system.monotonic })
    let bench = try bench(clock: clock)
    let path = try await path(on: bench, lifetime: 5_000)
    offset.withLock { $0 = 4_999 }
    #expect(await fetch(path, on: bench).response.status == 200)
    offset.withLock { $0 = 5_000 }
    let (response, body) = await fetch(path, on: bench)
    #expect(response.status == 404)
    #expect(body.text.hasPrefix("download_over"))
  }

  @Test("an address is void with the key of whoever made it")
  func revoked() async throws {
    let flag = Flag()
    let bench = try bench(key: .init(isVoid: { flag.isSet.load(ordering: .relaxed) }))
    let path = try await path(on: bench)
    #expect(await fetch(path, on: bench).response.status == 200)
    flag.isSet.store(true, ordering: .relaxed)
    #expect(await fetch(path, on: bench).response.status == 401)
  }

  @Test(
    "an address ends with its maker's device and tenant, also where it was made over the bus",
    arguments: [true, false], [true, false])
  func closedMaker(isOverBus: Bool, isWiped: Bool) async throws {
    let bench = try bench()
    let path: String
    if isOverBus {
      let device = CallerIdentity(kind: .device, tenant: "acme", subject: "kiosk", device: "kiosk")
      let wish = CreateDownloadRequest(
        method: Self.render, request: #"{"signatureId": "s-1"}"#, lifetimeMs: 60_000)
      path = try await GatewayServiceClient(bench.bus.channel(for: device)).createDownload(wish).path
    } else {
      path = try await self.path(on: bench)
    }
    #expect(await fetch(path, on: bench).response.status == 200)
    let isNews = isWiped ? bench.closed.wipe("kiosk", of: "acme") : bench.closed.set(true, "acme")
    #expect(isNews)
    let (response, body) = await fetch(path, on: bench)
    #expect(response.status == (isWiped ? 401 : 403))
    #expect(body.text.hasPrefix(isWiped ? "device_wiped: " : "tenant_disabled: "), "\(body.text)")
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  @Test("what the service refuses, the address answers")
  func refused() async throws {
    let bench = try bench()
    let (response, body) = await fetch(try await path(on: bench, id: "s-2"), on: bench)
    #expect(response.status == 404)
    #expect(body.text == "no_signature: there is none\n")
    #expect(bench.finished.last?.path == "/" + Self.render)
    #expect(bench.finished.last?.code == .notFound)
  }

  @Test(
    "an address is refused for what is no file, and for what the caller may not have",
    arguments: [
      (CreateDownloadRequest(method: "assent.interop.v1.InteropService/UnaryCall"), "answers no file; these do:"),
      (CreateDownloadRequest(method: "assent.interop.v1.InteropService/Nothing"), "unknown_method"),
      (CreateDownloadRequest(method: render, request: "{"), "bad_download: request:"),
      (CreateDownloadRequest(method: render, request: #"{"signature": 1}"#), "bad_download: request:"),
      (CreateDownloadRequest(method: render, fileName: "a/b"), "file_name must have"),
      (CreateDownloadRequest(method: render, fileName: "a\r\nb"), "file_name must have"),
      (CreateDownloadRequest(method: render, lifetimeMs: 60_001), "lifetime_ms must be 1 to 60000"),
      (
        CreateDownloadRequest(method: render, request: #"{"signatureId": "\#(String(repeating: "x", count: 3000))"}"#),
        "at most 2048 are taken"
      ),
    ])
  func wrongWishes(wish: CreateDownloadRequest, expected: String) async throws {
    var wish = wish
    if wish.lifetimeMs == 0 { wish.lifetimeMs = 1000 }
    let (status, body) = try await create(wish, on: try bench())
    #expect(status == 400)
    #expect(body.text.contains(expected), "\(body.text)")
  }
}
