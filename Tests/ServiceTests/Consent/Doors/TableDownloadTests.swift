import Base
import ConsentContract
import Face
import GatewayContract
import HTTPFace
import RPC
import Storage
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Files that are written while they are read, by their addresses.
@Suite("Tables by an address", .timeLimit(.minutes(1))) struct TableDownloadTests {
  private let key = APIKey.generate()

  private func door(_ world: World, grants: [String] = ["coordinator@heart"]) throws -> HTTPDoorBench {
    let folder = try TemporaryFolder()
    let ring = try APIKeyRing(following: folder.file("keys"))
    var list = APIKeyList()
    try list.add(
      APIKey(
        id: try #require(APIKey.id(of: key)), hash: APIKey.hash(of: key), name: "carl", tenant: "t1", kind: .person,
        roles: grants, scopes: []))
    ring.replace(with: list)
    return try HTTPDoorBench(on: world.bus, admittingBy: [ring])
  }

  private func fetch(_ format: RecordsFormat, _ door: HTTPDoorBench) async throws -> HTTPDoorBench.Response {
    await door.answer(RequestHead(method: "GET", target: try await path(format, door), address: "192.0.2.7"))
  }

  private func path(_ format: RecordsFormat, _ door: HTTPDoorBench) async throws -> String {
    let wish = CreateDownloadRequest(
      method: "assent.consent.v1.RecordService/ExportRecords",
      request: try ExportRecordsRequest(studyID: World.study, format: format).jsonText(), fileName: "table",
      attachment: true, lifetimeMs: 60_000)
    var head = RequestHead(
      method: "POST", target: "/assent.gateway.v1.GatewayService/CreateDownload", address: "192.0.2.7")
    head.add("Content-Type", "application/json")
    head.add("Authorization", "Bearer \(key)")
    let answer = await door.answer(head, try wish.json())
    try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    return try CreateDownloadResponse(json: answer.body).path
  }

  @Test("a browser gets a table as one file, to be saved under its name")
  func table() async throws {
    let world = try await World()
    try await world.open()
    try await world.walk()
    let answer = try await fetch(.recordsCSV, try door(world))
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/csv; charset=utf-8; header=present")
    #expect(answer.headers["content-disposition"]?.hasPrefix("attachment; filename=\"table\"") == true)
    #expect(answer.headers["content-security-policy"] != nil && answer.headers["cache-control"] == "no-store")
    #expect(answer.body.split(separator: UInt8(ascii: "\n")).count == 2)
    await world.end()
  }

  @Test("whoever may not read gets a status, and no file")
  func refused() async throws {
    let world = try await World()
    try await world.open()
    let answer = try await fetch(.recordsCSV, try door(world, grants: ["coordinator@lung"]))
    #expect(answer.status == 403)
    await world.end()
  }

  @Test("a file that cannot be written to its end breaks off, so that nobody takes it for the whole")
  func broken() async throws {
    let world = try await CopyWorld()
    try await world.open()
    world.startSealing()
    for subject in ["s1", "s2"] {
      let record = try await world.evidence.give(subject).record
      _ = try await world.evidence.counterSign(record)
      try await world.run(record.recordID) { $0.state == .sealed }
    }
    let door = try door(world.consent)
    let whole = try await fetch(.signedCopiesZip, door)
    #expect(whole.status == 200 && whole.headers["content-type"] == "application/zip")
    try await world.consent.test.location.alter(
      "UPDATE signed_copies SET body = x'ff' WHERE record_id = (SELECT id FROM records WHERE subject_id = 's2')",
      schema: world.consent.test.schema.name)
    let part = try await fetch(.signedCopiesZip, door)
    #expect(part.status == HTTPDoorBench.brokenOff && part.body.count < whole.body.count && !part.body.isEmpty)
    // A client of HTTP/1.1 misses the last chunk; one of 1.0 would take the end of the connection for that of the file.
    let path = try await path(.signedCopiesZip, door)
    let current = await door.connection("GET \(path) HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
    #expect(!current.isBroken && !current.bytes.isEmpty && !current.bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8))
    let former = await door.connection("GET \(path) HTTP/1.0\r\n\r\n")
    #expect(former.isBroken && !former.bytes.isEmpty)
    await world.end()
  }
}
