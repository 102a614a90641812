import Base
import TestSupport
import Testing

/// The status page in a real browser, which is 400 MB of packages: only for the long run.
@Suite(.serialized, .enabled(if: LongTests.areWanted)) struct StatusPageTests {
  private func look(_ arguments: [String]) async throws {
    let program = try await RunningProgram.startPython([Repository.path("scripts/lib/status-page.py")] + arguments)
    #expect(await program.wait() == .code(0), "\((program.lines + program.logLines).joined(separator: "\n"))")
  }

  @Test("nothing on the page keeps anybody from using it, wide or narrow, light or dark", .timeLimit(.minutes(3)))
  func accessibility() async throws {
    let gateway = try await HTTPGateway.start()
    try await look([gateway.address, "axe"])
  }

  @Test("away from the gateway's own address the page asks for an operator's key", .timeLimit(.minutes(3)))
  func key() async throws {
    let gateway = try await HTTPGateway.start()
    let created = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"), ["keys", "api", "create", "op", "--kind", "operator"] + gateway.keyList))
    let key = try #require(created.lines.last { $0.hasPrefix("ak_") }, "\(created.lines)")
    let address = gateway.address.replacing("127.0.0.1", with: "gateway.test")
    try await look([address, "key", key])
  }
}
