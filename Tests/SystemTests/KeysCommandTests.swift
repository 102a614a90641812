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
    try await keys(arguments)
  }

  private func keys(_ arguments: [String]) async throws -> (exit: ProcessExit, said: String) {
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

  @Test("a list that is not there is named, also by its data folder, and scopes that name nothing are refused")
  func apiKeys() async throws {
    let data = folder.file("elsewhere")
    let missing = try await keys("api", "list", "--data", data)
    #expect(missing.exit == .code(1))
    #expect(missing.said.hasPrefix("assent keys: there is no file \(data)/api-keys: "), "\(missing.said)")
    let create = ["api", "create", "app", "--tenant", "acme", "--api-key-list", folder.file("api-keys"), "--scopes"]
    for (scope, meant) in [
      ("assent.consent.v1.RecordService/GetRecrod", "assent.consent.v1.RecordService/GetRecord"),
      ("assent.consent.v1.RecordServce/*", "assent.consent.v1.RecordService/*"),
    ] {
      let refused = try await keys(create + [scope])
      #expect(refused.exit == .code(2) && refused.said.hasSuffix("did you mean '\(meant)'?"), "\(refused.said)")
    }
    #expect(!Files.exists(folder.file("api-keys")))
    let made = try await keys(create + ["assent.consent.v1.RecordService/*,assent.signature.v1.RenderService/Render"])
    #expect(made.exit.isSuccess, "\(made.said)")
    #expect(try await keys("api", "list", "--api-key-list", folder.file("api-keys")).said.contains("app "))
  }

  @Test("keys that are made and removed at the same time are all made and removed", .timeLimit(.minutes(1)))
  func atATime() async throws {
    let place = ["--api-key-list", folder.file("api-keys")]
    let create = ["api", "create", "--tenant", "acme"] + place
    #expect(try await keys(create + ["leaked"]).exit.isSuccess)
    try await withThrowingTaskGroup(of: String?.self) { group in
      for words in (1...20).map({ create + ["app-\($0)"] }) + [["api", "remove", "leaked"] + place] {
        group.addTask {
          let (exit, said) = try await keys(words)
          return exit.isSuccess ? nil : said
        }
      }
      for try await complaint in group { #expect(complaint == nil) }
    }
    let lines = try await keys(["api", "list"] + place).said.split(separator: "\n").dropFirst()
    let names = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.sorted() == (1...20).map { "app-\($0)" }.sorted())
    #expect(try Files.names(in: folder.path) == ["api-keys"])
  }

  @Test("an operator's API key has no tenant and no grants, and others have a tenant")
  func operators() async throws {
    let place = ["--api-key-list", folder.file("api-keys")]
    let made = try await keys(["api", "create", "op", "--kind", "operator"] + place)
    #expect(made.exit.isSuccess, "\(made.said)")
    let line = try await keys(["api", "list"] + place).said.split(separator: "\n").last
    let words = line?.split(separator: " ").map(String.init) ?? []
    #expect(words.count == 3 && words.first == "op" && words.last == "operator", "\(words)")
    for (more, says) in [
      (["--tenant", "acme", "--kind", "operator"], "above all tenants"),
      (["--kind", "operator", "--grants", "admin@*"], "above all tenants"),
      (["--kind", "device"], "--tenant is missing"),
    ] {
      let refused = try await keys(["api", "create", "other"] + more + place)
      #expect(refused.exit == .code(1) && refused.said.contains(says), "\(refused.said)")
    }
  }

  @Test("each action has help of its own, with the settings that matter for it")
  func help() async throws {
    let create = try await keys("api", "create", "--help").said
    #expect(create.hasPrefix("makes an API key for HTTP and gRPC"), "\(create)")
    #expect(create.contains("usage: assent keys api create NAME [OPTION…]"))
    #expect(create.contains("--scopes ") && create.contains("--data ") && !create.contains("--seal-name "))
    let all = try await keys("--help").said
    #expect(all.contains("  api create NAME  ") && all.contains("--seal-name ") && all.contains("--scopes "), "\(all)")
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
