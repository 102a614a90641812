import Base
import TestSupport
import Testing

/// What compose/ tells programs. scripts/test-compose runs it.
@Suite struct ComposeTests {
  private static let files = SourceTree.paths(below: "compose").filter { $0.hasSuffix(".yaml") }

  /// The names of settings that a file gives to programs: keys of a mapping, or names in a list of variables.
  private func settings(in text: String) -> Set<String> {
    var found: Set<String> = []
    for line in text.split(separator: "\n") {
      let content = line.drop { " -{".contains($0) }
      let name = content.hasPrefix("name: ASSENT_") ? content.dropFirst("name: ".count) : content
      guard name.hasPrefix("ASSENT_") else { continue }
      let word = name.prefix { $0.isUppercase || $0 == "_" }
      guard ":,".contains(name.dropFirst(word.count).first ?? " ") else { continue }
      found.insert(word.dropFirst("ASSENT_".count).lowercased().replacing("_", with: "-"))
    }
    return found
  }

  @Test("every setting that containers are given is one that programs have")
  func names() {
    let reference = SourceTree.text(of: "docs/operating.md")
    var count = 0
    for file in Self.files {
      // The file of settings is named by a variable, or by the flag.
      for name in settings(in: SourceTree.text(of: file)) where name != "config" {
        #expect(reference.contains("| `--\(name)"), "\(file) gives \(name)")
        count += 1
      }
    }
    #expect(count > 20)
    let example = "  ASSENT_NO_SUCH: x\n - {name: ASSENT_OTHER, value: 1}\n # ASSENT_A b"
    #expect(settings(in: example) == ["no-such", "other"])
  }

  private static let variables = [
    "ASSENT_VERIFICATION_ADDRESS": "https://assent.example/verify/", "ASSENT_TLS_CERTIFICATE_FILE": "/etc/tls.crt",
    "ASSENT_TLS_KEY_FILE": "/etc/tls.key",
  ]

  /// What Docker makes of files, with some variables; nil when it refuses.
  private func configuration(_ files: [String], _ variables: [String]) async throws -> JSONValue? {
    let named = files.flatMap { ["--file", Repository.path("compose/\($0)")] }
    var command = ChildCommand("docker", ["compose"] + named + ["config", "--format", "json"])
    for (name, value) in Self.variables { command.environment[name] = variables.contains(name) ? value : String?.none }
    command.errors = .discarded
    let (exit, lines) = try await ChildProcess.output(of: command)
    return exit.isSuccess ? JSONValue(parsing: lines.joined(separator: "\n")) : nil
  }

  static var hasCompose: Bool {
    get async {
      var command = ChildCommand("docker", ["compose", "version"])
      command.errors = .discarded
      return (try? await ChildProcess.output(of: command).exit.isSuccess) ?? false
    }
  }

  @Test(
    "with tls.yaml the gateway's doors have a certificate and a key, and nothing else changes",
    .enabled { await ComposeTests.hasCompose })
  func encrypted() async throws {
    let names = ["ASSENT_TLS_CERTIFICATE_FILE", "ASSENT_TLS_KEY_FILE"]
    let plain = try #require(try await configuration(["compose.yaml"], []))
    let both = try #require(try await configuration(["compose.yaml", "tls.yaml"], names))
    let (before, after) = (plain["services"]["gateway"], both["services"]["gateway"])
    for (variable, secret, path) in [
      ("ASSENT_TLS_CERTIFICATE", "tls-certificate", "/etc/tls.crt"), ("ASSENT_TLS_KEY", "tls-key", "/etc/tls.key"),
    ] {
      #expect(after["environment"][variable].text == "/run/secrets/\(secret)")
      #expect(after["secrets"].list.contains { $0["source"].text == secret })
      #expect(both["secrets"][secret]["file"].text == path)
    }
    var rest = after.members
    rest["environment"] = .object(after["environment"].members.filter { !$0.key.hasPrefix("ASSENT_TLS_") })
    rest["secrets"] = nil
    #expect(rest == before.members)
    #expect(before["healthcheck"]["test"].list.last?.text == "127.0.0.1:9090", "which is never spoken over TLS")
    let incomplete = try await configuration(["compose.yaml", "tls.yaml"], ["ASSENT_TLS_CERTIFICATE_FILE"])
    #expect(incomplete == nil)
  }

  @Test(
    "the address of the page about signed documents reaches the service that prints it, where one is named",
    .enabled { await ComposeTests.hasCompose })
  func verification() async throws {
    let name = "ASSENT_VERIFICATION_ADDRESS"
    let named = try #require(try await configuration(["compose.yaml"], [name]))
    let unnamed = try #require(try await configuration(["compose.yaml"], []))
    #expect(named["services"]["consent"]["environment"][name].text == Self.variables[name])
    #expect(unnamed["services"]["consent"]["environment"][name] == .null)
  }
}
