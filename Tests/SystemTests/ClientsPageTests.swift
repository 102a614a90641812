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
      text.contains("Health/Check")
        ? "SERVING"
        : text.contains("CreateDownload") ? "/downloads/" : text.contains("ReuseSignature") ? "reusedFrom" : "AAAA"
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
    let gateway = try await HTTPGateway.start()
    let signature = try await RunningProgram.start(
      "SignatureService", ["--bus-folder", gateway.folder.file("bus"), "--data", gateway.folder.file("data")],
      environment: ["ASSENT_MASTER_KEY": String(repeating: "5a", count: 32)])
    _ = try #require(await signature.line(containing: "ready"), "\(signature.logLines)")
    let path = "\(try Files.absolutePath(Products.folder)):\(Environment.current["PATH"] ?? "")"
    let environment: [String: String?] = [
      "ASSENT": gateway.address, "KEY": gateway.key, "PATH": path,
      "ASSENT_API_KEY_LIST": gateway.folder.file("api-keys"),
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
    #expect(count == 8)
  }
}
