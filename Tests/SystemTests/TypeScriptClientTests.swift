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
      rm -rf dist dist-tests node_modules
      tsc --pretty false -p tsconfig.tests.json
      """
    let compiled = try await ChildProcess.output(
      of: ChildCommand("bash", ["-c", script, "compile", Repository.path("clients/typescript"), folder.path]))
    try #require(compiled.exit.isSuccess, "\(compiled.lines.joined(separator: "\n"))")
    let faults = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist-tests/tests/faults.js")]))
    #expect(faults.exit.isSuccess && faults.lines == ["all faults are as they should be"], "\(faults.lines)")
    let vectors = String(decoding: try Files.read(Repository.path("clients/vectors/unlock.json")), as: UTF8.self)
    let unlock = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist-tests/tests/unlock.js"), vectors]))
    #expect(unlock.exit.isSuccess && unlock.lines == ["all keys are as they should be"], "\(unlock.lines)")
    let visits = String(decoding: try Files.read(Repository.path("clients/vectors/offline.json")), as: UTF8.self)
    let offline = try await ChildProcess.output(
      of: ChildCommand("node", [folder.file("typescript/dist-tests/tests/offline.js"), visits]))
    #expect(offline.exit.isSuccess && offline.lines == ["all visits are as they should be"], "\(offline.lines)")
    let gateway = try await HTTPGateway.start()
    let calls = try await RunningProgram.start(
      program: "node", [folder.file("typescript/dist-tests/tests/calls.js"), gateway.address, gateway.key])
    #expect(await calls.wait() == .code(0), "\(calls.logLines.joined(separator: "\n"))")
    #expect(calls.lines == ["all calls are as they should be"])
  }

  @Test("the package is complete: what is packed can be imported by its names", .timeLimit(.minutes(3)))
  func package() async throws {
    let folder = try TemporaryFolder()
    // As npm packs and installs it: `prepare`, and then the files that package.json names.
    let script = """
      set -e
      cp -r "$1" "$2/typescript"
      cd "$2/typescript"
      rm -rf dist node_modules
      run() { node -p "require('./package.json').$1"; }
      sh -c "$(run scripts.prepare)"
      mkdir -p "$2/app/node_modules/assent"
      cp -r package.json README.md $(run 'files.join(" ")') "$2/app/node_modules/assent"
      cd "$2/app"
      node --input-type=module -e '
        import { Client, StatusError } from "assent"
        import { StudyService } from "assent/contract/consent_v1"
        import { rights } from "assent/contract/rights"
        const path = StudyService.getStudy.path
        if (!(path in rights) || !new Client({ url: "" }).service(StudyService).getStudy || !StatusError) throw path
        console.log(path)'
      test -f node_modules/assent/dist/index.d.ts
      """
    let packed = try await ChildProcess.output(
      of: ChildCommand("bash", ["-c", script, "pack", Repository.path("clients/typescript"), folder.path]))
    #expect(packed.exit.isSuccess && packed.lines == ["assent.consent.v1.StudyService/GetStudy"], "\(packed.lines)")
  }
}
