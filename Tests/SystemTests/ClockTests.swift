import Base
import Sealing
import TestSupport
import Testing

/// Processes on machines whose clocks are a minute apart, as docs/scaling.md allows.
@Suite(.serialized) struct ClockTests {
  private static let programs = ["gateway", "ConsentService", "SignatureService", "AccountService"]

  /// A library that gives the programs that load it another time.
  private func shiftedClock(in folder: TemporaryFolder) async throws -> String {
    try await PreloadedLibrary.compile("clocks/shifted.c", in: folder)
  }

  @Test("a clock is really shifted")
  func shifts() async throws {
    let folder = try TemporaryFolder()
    let library = try await shiftedClock(in: folder)
    var command = ChildCommand("date", ["+%s"])
    command.environment = ["LD_PRELOAD": library, "SHIFTED_SECONDS": "-86400"]
    let lines = try await ChildProcess.output(of: command).lines
    let said = try #require(lines.first.flatMap { Int64($0) })
    let now = Clock.system.now.millisecondsSince1970 / 1000
    #expect((86_400 - 60...86_400 + 60).contains(now - said), "\(said), and it is \(now)")
  }

  @Test(
    "with one program's clock a minute off, a study is walked to its sealed copy, and people sign in and sync",
    .timeLimit(.minutes(5)), arguments: zip(programs, [60, -60, 60, -60]))
  func apart(program: String, seconds: Int) async throws {
    let folder = try TemporaryFolder()
    let library = try await shiftedClock(in: folder)
    let keyFile = folder.file("seal.pem")
    let seal = try SealKeyFile.write(to: keyFile, from: .seconds(-3600))
    try Files.write(seal.certificate.pem, to: folder.file("seal.crt"))
    var processes: [RunningProgram] = []
    for name in Self.programs {
      var arguments = ["--bus-folder", folder.file("bus")]
      var environment: [String: String?] = [:]
      if name != "gateway" {
        arguments += ["--data", folder.file("data")]
        environment["ASSENT_MASTER_KEY"] = String(repeating: "5a", count: 32)
      }
      if name == "SignatureService" { arguments += ["--seal-key-file", keyFile] }
      if name == program {
        environment["LD_PRELOAD"] = library
        environment["SHIFTED_SECONDS"] = "\(seconds)"
      }
      let process = try await RunningProgram.start(name, arguments, environment: environment)
      _ = try #require(await process.line(containing: "ready"), "\(process.logLines)")
      processes.append(process)
    }
    let demo = try await RunningProgram.start(
      "assent",
      [
        "demo", "--bus-folder", folder.file("bus"), "--samples", Repository.path("samples/clinical-study"),
        "--output", folder.file("demo"),
      ])
    #expect(await demo.wait() == .code(0), "\(demo.lines.suffix(20)) \(demo.logLines)")
    #expect(demo.lines.contains { $0.contains("] 100 %") })
    let copy = try await ChildProcess.output(
      of: ChildCommand(
        Products.program("assent"),
        ["verify", folder.file("demo/signed-copy.pdf"), "--trust", folder.file("seal.crt")]))
    #expect(copy.exit == .code(0) && copy.lines.first?.hasPrefix("✓ Nothing was changed") == true, "\(copy.lines)")
    for process in processes.reversed() {
      process.send(.terminate)
      #expect(await process.wait() == .code(0), "\(process.logLines.suffix(5))")
    }
  }
}
