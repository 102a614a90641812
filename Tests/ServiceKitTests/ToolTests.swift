import Synchronization
import Testing

@testable import ServiceKit

@Suite struct ToolTests {
  private final class Ran: Sendable {
    private let words = Mutex<[String]>([])
    var all: [String] { words.withLock { $0 } }
    func add(_ word: String) { words.withLock { $0.append(word) } }
  }

  private func tool(_ ran: Ran) -> Tool {
    struct Broken: Error, CustomStringConvertible {
      let description = "no such field"
    }
    return Tool(
      "sample", "A sample.",
      [
        Command("show", "shows a file", settings: SampleSettings(), operands: "FILE") { settings in
          ran.add("\(settings.operands[0]) \(settings[\.slots])")
        },
        Command("fail", "fails", settings: SampleSettings()) { _ in throw Broken() },
      ])
  }

  @Test("a command gets its settings and operands, and its success is the tool's")
  func runs() async {
    let ran = Ran()
    #expect(await tool(ran).run(["show", "--slots", "9", "file"]) == 0)
    #expect(ran.all == ["file 9"])
  }

  @Test("failure and misuse have codes of their own")
  func codes() async {
    let tool = tool(Ran())
    #expect(await tool.run(["fail"]) == 1)
    #expect(await tool.run(["shwo"]) == 2)
    #expect(await tool.run(["show"]) == 2)
    #expect(await tool.run(["show", "--slots", "x", "file"]) == 2)
    #expect(await tool.run(["show", "--help"]) == 0)
    #expect(await tool.run([]) == 0)
  }

  @Test("the help lists every command with what it does")
  func help() {
    #expect(
      tool(Ran()).help == """
        A sample.

        usage: sample COMMAND [OPTION…]

          show           shows a file
          fail           fails
          completions    writes completions for bash, zsh or fish

        sample COMMAND --help shows what a command knows.
        """)
  }
}
