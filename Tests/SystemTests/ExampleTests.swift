import Base
import TestSupport
import Testing

/// The examples of docs/api, called against real processes by a client in another language.
@Suite(.serialized) struct ExampleTests {
  @Test("every example is answered as docs/api says", .timeLimit(.minutes(3)))
  func walk() async throws {
    let system = try await TestSystem.start()
    try await system.startWorker("InteropService")
    let seal = system.folder.file("seal.pem")
    try SealKeyFile.write(to: seal)
    for service in ["SignatureService", "ConsentService", "AccountService"] {
      try await system.startWorker(
        service,
        ["--data", system.folder.file("data")] + (service == "SignatureService" ? ["--seal-key-file", seal] : []),
        environment: [
          "ASSENT_MASTER_KEY": String(repeating: "5a", count: 32),
          "ASSENT_EVIDENCE_KEY": String(repeating: "11", count: 32),
        ])
    }
    let walk = try await RunningProgram.startPython([
      Repository.path("Tests/Fixtures/walk_examples.py"), Repository.path("docs/api/examples"),
      "ipc://\(system.busFolder)/clients",
    ])
    #expect(await walk.wait() == .code(0), "\((walk.lines + walk.logLines).joined(separator: "\n"))")
  }
}
