import Base
import TestSupport
import Testing

/// Every snippet of docs/clients.md, run as it stands there, unless the line above says that it is not run, and why.
@Suite(.serialized) struct ClientsPageTests {
  struct Snippet: Sendable {
    let language: String
    let text: String

    /// What its answer contains.
    var answer: String {
      let signs = [
        ("Health/Check", "SERVING"), ("ExportTrail", "at,service,sequence"), ("CreateDownload", "/downloads/"),
        ("ReuseSignature", "reusedFrom"),
        ("PublishFlowDraft", "VERSION_STATE_PUBLISHED"), ("ActOnSession", "Your work orders"),
      ]
      return signs.first { text.contains($0.0) }?.1 ?? "AAAA"
    }
  }

  private static func snippets() throws -> [Snippet] {
    let page = String(decoding: try Files.read(Repository.path("docs/clients.md")), as: UTF8.self)
    var snippets: [Snippet] = []
    var language: String?
    var (text, earlier) = ("", Substring())
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let known = language {
          snippets.append(Snippet(language: known, text: text))
          language = nil
        } else {
          language = earlier.hasPrefix("<!-- not run: ") ? "none" : String(line.dropFirst(3))
          text = ""
        }
      } else if language != nil {
        text += line + "\n"
      }
      earlier = line
    }
    return snippets
  }

  @Test("each snippet gets the answer that the page promises", .timeLimit(.minutes(2)))
  func run() async throws {
    let gateway = try await HTTPGateway.start(["--grpc-listen", "127.0.0.1:0"])
    let ready = try #require(await gateway.gateway.line(containing: "ready"))
    let places = ready.split(separator: "   ").map(String.init)
    let grpc = try #require(places.first { $0.hasPrefix("grpc ") }).dropFirst("grpc ".count)
    var services: [RunningProgram] = []
    for name in ["SignatureService", "ConsentService"] {
      let service = try await RunningProgram.start(
        name, ["--bus-folder", gateway.folder.file("bus"), "--data", gateway.folder.file("data")],
        environment: ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)])
      _ = try #require(await service.line(containing: "ready"), "\(service.logLines)")
      services.append(service)
    }
    _ = try await ChildProcess.output(
      of: ChildCommand("ln", ["-s", Repository.path("samples"), gateway.folder.file("samples")]))
    let path = "\(try Files.absolutePath(Products.folder)):\(Environment.current["PATH"] ?? "")"
    let environment: [String: String?] = [
      "ASSENT": gateway.address, "ASSENT_GRPC": String(grpc), "ASSENT_BUS_FOLDER": gateway.folder.file("bus"),
      "ASSENT_API_KEY_LIST": gateway.folder.file("api-keys"), "KEY": gateway.key, "PATH": path,
      "PYTHONPATH": Repository.path("clients/python"), "PYTHONDONTWRITEBYTECODE": "1",
    ]
    var count = 0
    for snippet in try Self.snippets() {
      let file = gateway.folder.file("snippet.mjs")
      var command: ChildCommand
      switch snippet.language {
      case "sh": command = ChildCommand("bash", ["-ec", snippet.text])
      case "python": command = ChildCommand(Repository.python, ["-c", snippet.text])
      case "js":
        let prelude = "const assent = process.env.ASSENT, key = process.env.KEY\n"
        try Files.write(Array((prelude + snippet.text).utf8), to: file)
        command = ChildCommand("node", [file])
      default: continue
      }
      command.environment = environment
      command.directory = gateway.folder.path
      let (exit, lines) = try await ChildProcess.output(of: command)
      #expect(exit.isSuccess, "\(snippet.text)")
      let answer = lines.joined(separator: "\n")
      #expect(answer.contains(snippet.answer), "\(snippet.text)\n\(answer)")
      count += 1
    }
    #expect(count == 15)
    for service in services {
      service.send(.terminate)
      #expect(await service.wait() == .code(0), "\(service.logLines)")
    }
  }
}
