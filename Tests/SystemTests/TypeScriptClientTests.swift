import Base
import TestSupport
import Testing

/// `clients/typescript`, checked by Debian's compiler in its strictest mode and run by Node.
@Suite(.serialized) struct TypeScriptClientTests {
  @Test("the client compiles without a complaint and makes its calls against a real gateway", .timeLimit(.minutes(5)))
  func calls() async throws {
    let folder = try TemporaryFolder()
    let script = """
      set -e
      cp -r "$1" "$2/typescript"
      cd "$2/typescript"
      rm -rf dist node_modules
      tsc --pretty false
      """
    let compiled = try await ChildProcess.output(
      of: ChildCommand("bash", ["-c", script, "compile", Repository.path("clients/typescript"), folder.path]))
    try #require(compiled.exit.isSuccess, "\(compiled.lines.joined(separator: "\n"))")
    let faults = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist/tests/faults.js")]))
    #expect(faults.exit.isSuccess && faults.lines == ["all faults are as they should be"], "\(faults.lines)")
    let vectors = String(decoding: try Files.read(Repository.path("clients/vectors/unlock.json")), as: UTF8.self)
    let unlock = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist/tests/unlock.js"), vectors]))
    #expect(unlock.exit.isSuccess && unlock.lines == ["all keys are as they should be"], "\(unlock.lines)")
    let visits = String(decoding: try Files.read(Repository.path("clients/vectors/offline.json")), as: UTF8.self)
    let offline = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist/tests/offline.js"), visits]))
    #expect(offline.exit.isSuccess && offline.lines == ["all visits are as they should be"], "\(offline.lines)")
    let gateway = try await HTTPGateway.start()
    let calls = try await RunningProgram.start(
      program: "node", [folder.file("typescript/dist/tests/calls.js"), gateway.address, gateway.key])
    #expect(await calls.wait() == .code(0), "\(calls.logLines.joined(separator: "\n"))")
    #expect(calls.lines == ["all calls are as they should be"])
  }
}
