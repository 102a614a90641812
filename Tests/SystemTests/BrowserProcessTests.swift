import Base
import RPC
import TestSupport
import Testing

/// Browsers and a gateway's process, by raw HTTP: the page behind a link, its headers, and the cookie that it gets.
@Suite(.serialized, .timeLimit(.minutes(3))) struct BrowserProcessTests {
  /// A folder as `scripts/build-web` makes it.
  private func web(in folder: TemporaryFolder) throws -> String {
    let root = folder.file("web")
    try Files.makeFolder("\(root)/c")
    try Files.makeFolder("\(root)/app")
    for (name, text) in [
      ("c/index.html", "<!doctype html><script type=\"module\" src=\"../c-ABCDEFGH.js\"></script>"),
      ("c-ABCDEFGH.js", "export {}"), ("manifest.json", "{}"), ("app/index.html", "<!doctype html>"),
      ("app-worker.js", "skipWaiting()"),
    ] {
      try Files.write(Array(text.utf8), to: "\(root)/\(name)")
      try Files.write(try Gzipped.bytes(of: text), to: "\(root)/\(name).gz")
    }
    return root
  }

  @Test("the page behind a link runs nothing foreign, shows in no frame, tells no referrer and redirects nobody")
  func page() async throws {
    let folder = try TemporaryFolder()
    let gateway = try await HTTPGateway.start(["--web-folder", try web(in: folder)])
    let page = try await HTTP.ask("\(gateway.address)/c")
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    let policy = page.headers["content-security-policy"] ?? ""
    for word in [
      "default-src 'none'", "script-src 'self'", "manifest-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ] { #expect(policy.contains(word), "\(policy)") }
    #expect(!policy.contains("unsafe") && !policy.contains("*"))
    for (name, value) in [
      ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      ("cache-control", "no-cache"),
    ] { #expect(page.headers[name] == value, "\(name): \(page.headers[name] ?? "")") }
    // One page has a service worker, which browsers ask for by its name; nothing else passes as a script's address.
    #expect(policy.hasSuffix("; trusted-types 'none'"))
    let shared = try await HTTP.ask("\(gateway.address)/app").headers["content-security-policy"] ?? ""
    #expect(shared == policy.replacing("trusted-types 'none'", with: "trusted-types assent-worker"))
    #expect(try await HTTP.ask("\(gateway.address)/app-worker.js").headers["cache-control"] == "no-cache")
    let tag = try #require(page.headers["etag"])
    #expect(try await HTTP.ask("\(gateway.address)/c", ["If-None-Match": tag]).status == 304)
    let module = try await HTTP.ask("\(gateway.address)/c-ABCDEFGH.js", ["Accept-Encoding": "gzip"])
    #expect(module.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(module.headers["content-encoding"] == "gzip" && module.headers["vary"] == "Accept-Encoding")
    #expect(module.headers["etag"] != nil && module.body.prefix(2) == [0x1F, 0x8B])
    #expect(module.headers["content-type"] == "text/javascript; charset=utf-8")
    for path in [
      "/c/", "/c/index.html", "/manifest.json", "/c-ABCDEFGH.js.gz", "//evil.example/", "/c?next=//evil", "/web",
    ] {
      let answer = try await HTTP.ask("\(gateway.address)\(path)")
      let isPage = path.hasPrefix("/c?")
      #expect(answer.status == (isPage ? 200 : 404) && answer.headers["location"] == nil, "\(path): \(answer.status)")
    }
  }

  @Test("a link of the demo opens its session, and the cookie goes on with it until one signs out")
  func link() async throws {
    let folder = try TemporaryFolder()
    let up = try await RunningProgram.start(
      "assent", ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data"), "--signature", "1"])
    let ready = try #require(await up.line(containing: "http://"), "\(up.logLines)")
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    let address = try #require(ready.split(separator: " ").first { $0.hasPrefix("http://") }.map(String.init))
    let demo = try await RunningProgram.start(
      "assent",
      [
        "demo", "--open", "--address", address, "--bus-folder", folder.file("data/bus"), "--samples",
        Repository.path("samples/clinical-study"),
      ])
    #expect(await demo.wait() == .code(0), "\(demo.logLines)")
    let link = try #require(demo.lines.first { $0.contains("/c#demo-") }).drop { $0 == " " }
    let own = [
      "Content-Type": "application/json", "Connect-Protocol-Version": "1", "Origin": address,
    ]
    func call(_ method: String, _ body: String, _ headers: [String: String] = [:]) async throws -> HTTP.Answer {
      try await HTTP.ask(
        "\(address)/assent.consent.v1.SessionService/\(method)", own.merging(headers) { $1 }, body: body)
    }
    let wrong = try await call("OpenInvitation", #"{"link": "/c#demo.K7M2N4P9QX"}"#)
    #expect(wrong.status == 404 && wrong.text.contains("unknown_invitation"), "\(wrong.text)")
    let opened = try await call("OpenInvitation", #"{"link": "\#(link)", "locale": "de"}"#)
    try #require(opened.status == 200, "\(opened.text)")
    #expect(opened.headers["cache-control"] == "no-store")
    let cookie = try #require(opened.headers["set-cookie"])
    #expect(cookie.hasPrefix("assent-local=bp1.") && cookie.contains("HttpOnly; SameSite=Strict"), "\(cookie)")
    let mine = ["Cookie": String(cookie.prefix { $0 != ";" })]
    let seen = try await call("GetSession", "{}", mine)
    #expect(seen.status == 200 && seen.headers["cache-control"] == "no-store", "\(seen.text)")
    #expect(JSONValue(parsing: seen.text)["session"]["invitationState"].text == "INVITATION_STATE_USABLE")
    #expect(try await call("GetSession", "{}", mine.merging(["Origin": "https://evil.example"]) { $1 }).status == 403)
    #expect(try await call("ListConsentSessions", "{}", mine).status == 403)
    let left = try await call("LeaveSession", "{}", mine)
    #expect(left.status == 200 && left.headers["set-cookie"]?.hasPrefix("assent-local=;") == true, "\(left.text)")
    let after = try await call("GetSession", "{}", mine)
    #expect(JSONValue(parsing: after.text)["session"]["screen"]["id"].text == "elsewhere", "\(after.text)")
    up.send(.interrupt)
    #expect(await up.wait() == .code(0))
  }

  @Test("a folder without pages is told at once")
  func empty() async throws {
    let folder = try TemporaryFolder()
    let gateway = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--http-listen", "127.0.0.1:0", "--web-folder", folder.path])
    #expect(await gateway.wait() == .code(1))
    #expect(gateway.logLines.contains { $0.contains("has no pages; scripts/build-web makes them") })
  }
}

/// What gzip makes of a text.
private enum Gzipped {
  static func bytes(of text: String) throws -> [UInt8] {
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    // The content does not matter here: the gateway sends it as it is.
    return header + Array(text.utf8)
  }
}
