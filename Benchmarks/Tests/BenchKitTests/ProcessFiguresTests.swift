import Base
import BenchKit
import Testing

@Suite struct ProcessFiguresTests {
  @Test("a busy process shows the memory and the time it uses")
  func busy() async throws {
    let child = try await ChildProcess.start(ChildCommand("sh", ["-c", "while :; do :; done"]))
    var figures = try ProcessFigures(process: child.id)
    while figures.cpuTime < .milliseconds(50) { figures = try ProcessFigures(process: child.id) }
    #expect(figures.residentBytes > 100_000)
    await child.stop()
  }
}
