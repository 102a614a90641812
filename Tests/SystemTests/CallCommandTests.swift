import Base
import TestSupport
import Testing

/// `assent call`, and what shells complete.
@Suite(.serialized, .timeLimit(.minutes(2))) struct CallCommandTests {
  private let assent = Products.program("assent")

  /// Runs a line of a shell in which `assent` is the program.
  private func shell(_ line: String, in system: TestSystem? = nil) async throws -> (exit: ProcessExit, lines: [String])
  {
    var command = ChildCommand("bash", ["-c", "assent() { \(assent) \"$@\"; }; { \(line); } 2>&1"])
    command.environment = ["ASSENT_BUS_FOLDER": system?.busFolder]
    return try await ChildProcess.output(of: command)
  }

  @Test("methods of all kinds are called by as much of their names as is unique, and answer with lines of JSON")
  func calls() async throws {
    let system = try await TestSystem.start()
    try await system.startWorker("InteropService", ["--instance", "one"])
    let cases: [(line: String, expected: [String])] = [
      ("assent call InteropService/EmptyCall", ["{}"]),
      ("assent call assent.interop.v1.InteropService/EmptyCall '{}'", ["{}"]),
      (
        "assent call InteropService.UnaryCall '{\"responseSize\": 2}'",
        [#"{"payload":{"body":"AAA="},"instance":"one"}"#]
      ),
      ("echo '{\"responseSize\": 1}' | assent call UnaryCall -", [#"{"payload":{"body":"AA=="},"instance":"one"}"#]),
      (
        "assent call StreamingOutputCall '{\"responseParameters\": [{\"size\": 1}, {\"size\": 2}]}'",
        [#"{"payload":{"body":"AA=="}}"#, #"{"payload":{"body":"AAA="}}"#]
      ),
      (
        "printf '{\"payload\": {\"body\": \"AAAA\"}}\\n\\n{\"payload\": {\"body\": \"AA==\"}}\\n' | assent call StreamingInputCall",
        [#"{"aggregatedPayloadSize":"4"}"#]
      ),
      (
        "assent call HalfDuplexCall '{\"responseParameters\": [{\"size\": 1}]}'", [#"{"payload":{"body":"AA=="}}"#]
      ),
      (
        "assent call UnaryCall '{\"fillCaller\": true}' --tenant acme --kind device --subject kiosk",
        [#"{"payload":{},"caller":"acme/kiosk","instance":"one"}"#]
      ),
    ]
    for (line, expected) in cases {
      let result = try await shell(line, in: system)
      #expect(result.exit == .code(0), "\(line): \(result.lines)")
      #expect(result.lines == expected, "\(line)")
    }
  }

  @Test("a stream that ends with an error says so at once, although further requests could come")
  func error() async throws {
    let system = try await TestSystem.start()
    try await system.startWorker("InteropService")
    let request = #"{"responseStatus": {"code": 5, "message": "none"}}"#
    let input = "<(echo '\(request)'; exec sleep 100 2>&-)"
    // That the program behind the input can be ended shows that it had not ended by itself.
    let result = try await shell("assent call FullDuplexCall < \(input); exit=$?; kill $! && exit $exit", in: system)
    #expect(result.exit == .code(3), "\(result.lines)")
    #expect(result.lines.joined().contains("NOT_FOUND: none"), "\(result.lines)")
  }

  @Test("the same calls go over HTTP, with a key from a file")
  func http() async throws {
    let gateway = try await HTTPGateway.start()
    let file = gateway.folder.file("key")
    try Files.write(Array("\(gateway.key)\n".utf8), to: file, mode: 0o600)
    let there = "--http \(gateway.address) --key-file \(file)"
    let cases: [(line: String, exit: Int32, text: String)] = [
      (
        "UnaryCall '{\"responseSize\": 2, \"fillCaller\": true}'", 0,
        #"{"payload":{"body":"AAA="},"caller":"acme/tester""#
      ),
      (
        "StreamingOutputCall '{\"responseParameters\": [{\"size\": 1}, {\"size\": 2}]}'", 0,
        #"{"payload":{"body":"AA=="}}\#n{"payload":{"body":"AAA="}}"#
      ),
      ("StreamingInputCall '{\"payload\": {\"body\": \"AAAA\"}}'", 0, #"{"aggregatedPayloadSize":"3"}"#),
      ("UnaryCall '{\"responseStatus\": {\"code\": 5, \"message\": \"none\"}}'", 3, "NOT_FOUND: none"),
      ("StreamingOutputCall '{\"responseStatus\": {\"code\": 5, \"message\": \"none\"}}'", 3, "NOT_FOUND: none"),
      ("UnaryCall '{\"responseStatus\": {\"code\": 13, \"message\": \"broken\"}}'", 5, "INTERNAL: broken"),
      ("UnaryCall '{\"sleepMs\": 60000}' --deadline 200ms", 4, "DEADLINE_EXCEEDED"),
      ("FullDuplexCall '{}'", 2, "streams in both directions"),
      ("EmptyCall --tenant acme", 2, "over HTTP the key says who calls"),
    ]
    for (line, exit, text) in cases {
      let result = try await shell("assent call \(line) \(there)")
      #expect(result.exit == .code(exit), "\(line): \(result.lines)")
      #expect(result.lines.joined(separator: "\n").contains(text), "\(line): \(result.lines)")
    }
    let stranger = try await shell("assent call UnaryCall --http \(gateway.address)")
    #expect(stranger.lines.joined().contains("UNAUTHENTICATED: credential_missing"), "\(stranger.lines)")
    let nobody = try await shell("assent call EmptyCall --http http://127.0.0.1:1")
    #expect(nobody.lines.joined().contains("http://127.0.0.1:1: "), "\(nobody.lines)")
    #expect(stranger.exit == .code(3) && nobody.exit == .code(4))
  }

  @Test("a page that comes with 200, as some proxies send it, is no answer")
  func page() async throws {
    let server = try await RunningProgram.startPython([Repository.path("Tests/Fixtures/outgoing/server.py")])
    let port = try #require(await server.line(containing: "port "), "\(server.logLines)").dropFirst("port ".count)
    for method in ["EmptyCall", "StreamingOutputCall"] {
      let result = try await shell("assent call \(method) --http http://127.0.0.1:\(port)/page")
      #expect(result.exit == .code(5), "\(method): \(result.lines)")
      #expect(result.lines.joined().contains("UNKNOWN: the answer is 'text/html"), "\(method): \(result.lines)")
    }
    withExtendedLifetime(server) {}
  }

  @Test("a name whose servers do not answer is waited for as long as the request may take, and no longer")
  func slowNames() async throws {
    let folder = try TemporaryFolder()
    let library = try await PreloadedLibrary.compile("outgoing/slow_names.c", in: folder)
    let clock = ContinuousClock()
    let start = clock.now
    let program = try await RunningProgram.start(
      "assent", ["call", "EmptyCall", "--http", "http://slow.example", "--deadline", "200ms"],
      environment: ["LD_PRELOAD": library])
    #expect(await program.wait() == .code(4))
    #expect(program.logLines.contains { $0.contains("there was no answer within") }, "\(program.logLines)")
    // The command gives the server five seconds more than the call has.
    #expect(clock.now - start < .seconds(30))
    withExtendedLifetime(folder) {}
  }

  @Test("a mistake says what is wrong, and what was probably meant")
  func mistakes() async throws {
    let system = try await TestSystem.start()
    try await system.startWorker("InteropService")
    let refused = "FAILED_PRECONDITION: not now"
    let cases: [(line: String, text: String)] = [
      ("assent call EmtyCall", "did you mean 'assent.interop.v1.InteropService/EmptyCall'?"),
      ("assent call InteropServce/EmptyCall", "did you mean 'assent.interop.v1.InteropService/EmptyCall'?"),
      ("assent call Zzzzzzzz", "assent call --list"),
      ("assent call", "which method?"),
      ("assent call UnaryCall '{\"responsSize\": 1}'", "responsSize"),
      ("assent call UnaryCall '{'", "cannot be read"),
      ("echo nonsense | assent call StreamingInputCall", "request 1"),
      (
        "assent call UnaryCall '{\"responseStatus\": {\"code\": 9, \"message\": \"not now\"}}'",
        refused
      ),
      ("assent call EmptyCall --metadata nonsense", "KEY=VALUE"),
    ]
    for (line, text) in cases {
      let result = try await shell(line, in: system)
      #expect(result.exit == .code(text == refused ? 3 : 2), "\(line)")
      #expect(result.lines.contains { $0.contains(text) }, "\(line): \(result.lines)")
    }
  }

  @Test("methods are listed and described without a gateway")
  func descriptions() async throws {
    let all = try await shell("assent call --list").lines
    #expect(all.contains("assent.interop.v1.InteropService/EmptyCall"))
    #expect(all == all.sorted())
    let some = try await shell("assent call --list health").lines
    #expect(some == ["Check", "List", "Watch"].map { "grpc.health.v1.Health/\($0)" })
    let described = try await shell("assent call --describe EchoMixed").lines
    #expect(described.contains("assent.interop.v1.EchoMixedRequest  (request)"))
    #expect(described.contains { $0.hasPrefix("  notes") && $0.contains("map of string to string") })
    #expect(described.contains { $0.hasPrefix("  values") && $0.contains("list of double") })
  }

  @Test("bash completes commands, settings and methods")
  func bash() async throws {
    let load = "source <(assent completions bash); complete() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _assent; }"
    let cases: [(words: String, expected: String)] = [
      ("assent cal", "call"), ("assent call --desc", "--describe"),
      ("assent call assent.interop.v1.InteropService/Emp", "assent.interop.v1.InteropService/EmptyCall"),
      ("assent call EmptyC", "EmptyCall"),
      ("assent up --grpc", "--grpc-listen"), ("assent keys gen", "generate"), ("assent keys api cr", "create"),
    ]
    for (words, expected) in cases {
      let result = try await shell("\(load); complete \(words); echo \"${COMPREPLY[@]}\"")
      #expect(result.lines == [expected], "\(words)")
    }
  }

  @Test("fish completes commands, settings and methods; zsh reads its script")
  func otherShells() async throws {
    let fish =
      "assent completions fish | fish -c 'source; complete -C \"assent call --desc\"; complete -C \"assent cal\"'"
    let lines = try await shell(fish).lines
    #expect(lines.contains { $0.hasPrefix("--describe\t") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("call\t") }, "\(lines)")
    let zsh = try await shell("assent completions zsh > /dev/null; zsh -n <(assent completions zsh) && echo good")
    #expect(zsh.lines == ["good"])
    let unknown = try await shell("assent completions tcsh")
    #expect(unknown.exit == .code(2))
  }
}
