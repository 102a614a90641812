import Base
import TestSupport
import Testing

@Suite struct SettingsPageTests {
  @Test("docs/operating.md lists the settings that the programs have")
  func fresh() async throws {
    let program = Products.program("gateway")
    let folder = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    let check = try await RunningProgram.startPython(
      [Repository.path("scripts/lib/settings-reference.py"), folder, "--check"])
    #expect(await check.wait() == .code(0), "\(check.logLines)")
  }
}
