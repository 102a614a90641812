import Base
import HTTPFace
import TestSupport
import Testing

/// The pages that the gateway serves, at their addresses.
@Suite struct WebFilesTests {
  private func visit(_ path: String, method: String = "GET") async throws -> HTTPResponse {
    let folder = try TemporaryFolder()
    try Files.makeFolder("\(folder.path)/app")
    try Files.write(Array("<!doctype html>".utf8), to: "\(folder.path)/app/index.html")
    try Files.write(Array("export {}".utf8), to: "\(folder.path)/app-ABCDEFGH.js")
    let bench = try HTTPBench(web: try WebFiles(in: folder.path))
    return await bench.answer(HTTPBench.head(method, path, [])).0
  }

  @Test("a page is found at its name, and whoever ends the address with a slash is sent there")
  func slash() async throws {
    let page = try await visit("/app")
    #expect(page.status == 200 && page["content-type"] == "text/html; charset=utf-8")
    let sent = try await visit("/app/")
    #expect(sent.status == 308 && sent["location"] == "/app")
    #expect(try await visit("/app/?lang=de")["location"] == "/app?lang=de")
  }

  @Test("nobody is sent to what is no page", arguments: ["/app-ABCDEFGH.js/", "/other/", "//app/", "/app//", "/"])
  func elsewhere(path: String) async throws {
    #expect(try await visit(path).status != 308)
  }
}
