import Base
internal import Bus
import ConsentContract
import RPC
import Sealing
import TestSupport
import Testing

/// A sealed copy as people get it: by an address in a browser, and by the address that its QR code has.
@Suite(.serialized) struct SignedCopyFileTests {
  @Test(
    "a sealed copy is fetched by its address, whole and in parts, and verified at the one that it names",
    .timeLimit(.minutes(3)))
  func files() async throws {
    let system = try await TestSystem.start {
      ["--http-listen", "127.0.0.1:0", "--api-key-list", $0.file("api-keys")]
    }
    let ready = try #require(await system.gateway.line(containing: "ready"))
    let gateway = try #require(ready.split(separator: "   ").map(String.init).first { $0.hasPrefix("http://") })
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        [
          "keys", "api", "create", "ines", "--tenant", "t1", "--kind", "person", "--grants", "investigator@walking",
          "--api-key-list", system.folder.file("api-keys"),
        ]))
    let key = try #require(created.lines.last { $0.hasPrefix("ak_") })
    let seal = try SealKeyFile.write(to: system.folder.file("seal.pem"))
    let master = ["ASSENT_MASTER_KEY": Optional(String(repeating: "5a", count: 32))]
    let data = ["--data", system.folder.file("data")]
    try await system.startWorker(
      "ConsentService", data + ["--verification-address", "\(gateway)/verify/"], environment: master)
    try await system.startWorker(
      "SignatureService", data + ["--seal-key-file", system.folder.file("seal.pem")], environment: master)
    let connection = try await system.connect()
    let people = SealedPeople(channel: connection.channel)
    try await people.open()
    let record = try await people.sign("ada")
    let copy = try await people.copy(record) { $0.state == .sealed }
    try #require(copy.state == .sealed, "\(copy)")
    let file = try await people.file(record).content

    try await download(record, file, at: gateway, key)
    #expect(
      DocumentVerifier(trusting: Trust(roots: [seal.certificate]), at: Clock.system.now).verify(file).verdict == .passed
    )

    // The address that is printed on the file leads to the page, and the page knows this file.
    let printed = try await text(of: file, in: system.folder)
    let address = "\(gateway)/verify/\(copy.verificationID)"
    #expect(printed.filter { !$0.isWhitespace }.contains(address), "\(printed.suffix(600))")
    let page = try await HTTP.ask(address, ["Accept-Language": "de"])
    #expect(page.status == 200 && page.text.contains("versiegelt"), "\(page.text)")
    for word in ["ada", "Ada", "Lovelace", record, "walk"] { #expect(!page.text.contains(word), "\(word)") }
    let same = try await HTTP.ask("\(address)?sha256=\(Digest(of: file).hex)")
    #expect(same.text.contains("This is the file on record, unchanged"))
    let other = try await HTTP.ask("\(address)?sha256=\(Digest(of: file + [10]).hex)")
    #expect(other.text.contains("This is not the file on record"))
    #expect(try await HTTP.ask("\(gateway)/verify/t1.\(String(repeating: "0", count: 32))").status == 404)
    try await connection.close()
  }

  private func download(_ record: String, _ file: [UInt8], at gateway: String, _ key: String) async throws {
    let wish = """
      {"method": "assent.consent.v1.RecordService/GetSignedCopy", "request": "{\\"recordId\\": \\"\(record)\\"}", \
      "fileName": "Einwilligung Ä.pdf", "attachment": true}
      """
    let made = try await HTTP.ask(
      "\(gateway)/assent.gateway.v1.GatewayService/CreateDownload",
      ["Content-Type": "application/json", "Authorization": "Bearer \(key)"], body: wish)
    try #require(made.status == 200, "\(made)")
    let path = try #require(JSONValue(parsing: made.text)["path"].text, "\(made.text)")
    let whole = try await HTTP.ask(gateway + path)
    #expect(whole.status == 200 && whole.body == file, "\(whole.status) \(whole.text.prefix(300))")
    #expect(whole.headers["content-type"] == "application/pdf" && whole.headers["accept-ranges"] == "bytes")
    #expect(whole.headers["content-length"] == "\(file.count)")
    #expect(
      whole.headers["content-disposition"]
        == "attachment; filename=\"Einwilligung _.pdf\"; filename*=UTF-8''Einwilligung%20%C3%84.pdf")
    let tag = try #require(whole.headers["etag"])
    let part = try await HTTP.ask(gateway + path, ["Range": "bytes=100-299", "If-Range": tag])
    #expect(part.status == 206 && part.body == Array(file[100..<300]))
    #expect(part.headers["content-range"] == "bytes 100-299/\(file.count)")
    #expect(try await HTTP.ask(gateway + path, ["Range": "bytes=\(file.count)-"]).status == 416)
    let known = try await HTTP.ask(gateway + path, ["If-None-Match": tag])
    #expect(known.status == 304 && known.body.isEmpty)
    #expect(try await HTTP.ask(gateway + path + "A").status == 404)
  }

  private func text(of file: [UInt8], in folder: TemporaryFolder) async throws -> String {
    try Files.write(file, to: folder.file("copy.pdf"))
    let (_, lines) = try await ChildProcess.output(of: ChildCommand("pdftotext", [folder.file("copy.pdf"), "-"]))
    return lines.joined(separator: "\n")
  }
}
