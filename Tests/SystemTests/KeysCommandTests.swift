import Base
import TestSupport
import Testing

/// `assent keys` at a shell.
@Suite struct KeysCommandTests {
  private let folder: TemporaryFolder
  private let list: String

  init() throws {
    folder = try TemporaryFolder()
    list = folder.file("keys")
  }

  /// Runs the command; returns the output of both its streams.
  private func keys(_ arguments: String...) async throws -> (exit: ProcessExit, said: String) {
    let program = Products.program("assent")
    let words = ["-c", "exec \"$@\" 2>&1", "sh", program, "keys"] + arguments + ["--bus-key-list", list]
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand("sh", words))
    return (exit, lines.joined(separator: "\n"))
  }

  @Test("a key is made, allowed, listed and removed")
  func life() async throws {
    let file = folder.file("kiosk.key")
    let made = try await keys("generate", file)
    #expect(made.exit.isSuccess, "\(made.said)")
    let publicKey = try #require(made.said.split(separator: "\n").last.map(String.init))
    #expect(publicKey.count == 40)

    let allowed = try await keys(
      "allow", "kiosk", "--key", publicKey, "--tenant", "acme", "--kind", "person", "--grants", "investigator@heart")
    #expect(allowed.exit.isSuccess, "\(allowed.said)")
    let listed = try await keys("list").said
    #expect(
      listed.contains("kiosk  client  acme    person  investigator@heart                   \(publicKey)"), "\(listed)")

    let repeated = try await keys("allow", "other", "--key-file", file, "--role", "service")
    #expect(!repeated.exit.isSuccess)
    #expect(repeated.said == "assent keys: the key is in the list already, as “kiosk”")

    #expect(try await keys("remove", "kiosk").exit.isSuccess)
    #expect(try await keys("list").said.contains("kiosk") == false)
  }

  @Test("missing or wrong arguments are named, and change nothing")
  func refusals() async throws {
    let file = folder.file("kiosk.key")
    _ = try await keys("generate", file)
    #expect(try await keys("generate", file).said.hasSuffix("exists already, and a key is never overwritten"))
    #expect(try await keys("allow", "kiosk").said == "assent keys: --key is missing: the public key of kiosk")
    let tenant = try await keys("allow", "kiosk", "--key-file", file).said
    #expect(tenant == "assent keys: --tenant is missing: a client belongs to one")
    #expect(
      try await keys("revoke", "kiosk").said.hasPrefix("assent keys: 'revoke kiosk' is not one of 'generate FILE'"))
    #expect(!Files.exists(list))
  }
}
