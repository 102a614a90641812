import Base
import TestSupport
import Testing

/// What apps take over for visits without a connection, in the languages of apps, against clients/vectors/offline.json.
/// The tests of the clients in Python and TypeScript read the same file.
@Suite struct OfflineClientTests {
  private static let hasGo = (Environment.current["PATH"] ?? "").split(separator: ":").contains {
    Files.exists("\($0)/go")
  }

  @Test("Swift's walks and queues are those of the vectors", .timeLimit(.minutes(3)))
  func swift() async throws {
    let folder = try TemporaryFolder()
    let program = folder.file("offline")
    let sources = ["OfflineVisit.swift", "tests/main.swift"].map { Repository.path("clients/swift/\($0)") }
    let compiled = try await ChildProcess.output(
      of: ChildCommand("swiftc", ["-swift-version", "6", "-warnings-as-errors", "-o", program] + sources))
    try #require(compiled.exit.isSuccess, "\(compiled.lines)")
    let vectors = Repository.path("clients/vectors/offline.json")
    let run = try await ChildProcess.output(of: ChildCommand(program, [vectors]))
    #expect(run.exit.isSuccess && run.lines == ["all visits are as they should be"], "\(run.lines)")
  }

  @Test(
    "Go's walks and queues are those of the vectors", .enabled(if: hasGo, "there is no go on this machine"),
    .timeLimit(.minutes(3)))
  func go() async throws {
    var command = ChildCommand("go", ["test", "."])
    command.directory = Repository.path("clients/go/offline")
    command.environment = ["GO111MODULE": "off", "GOCACHE": Repository.path(".build/go")]
    let run = try await ChildProcess.output(of: command)
    #expect(run.exit.isSuccess, "\(run.lines)")
  }
}
