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
      guard ":,".contains(name.dropFirst(word.count).first ?? ",") else { continue }
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

  /// A description of the whole installation, and what makes gateways speak TLS besides.
  static let installations = [["compose.yaml", "tls.yaml"], ["swarm.yaml", "swarm-tls.yaml"]]

  @Test(
    "with the override for TLS gateways' doors have a certificate and a key, and nothing else changes",
    .enabled { await ComposeTests.hasCompose }, arguments: installations)
  func encrypted(files: [String]) async throws {
    let names = ["ASSENT_TLS_CERTIFICATE_FILE", "ASSENT_TLS_KEY_FILE"]
    let plain = try #require(try await configuration([files[0]], []))
    let both = try #require(try await configuration(files, names))
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
    // Where gateways have other secrets, they keep them.
    let others = after["secrets"].list.filter { $0["source"].text?.hasPrefix("tls-") == false }
    rest["secrets"] = others.isEmpty ? nil : .list(others)
    #expect(rest == before.members)
    #expect(before["healthcheck"]["test"].list.last?.text == "127.0.0.1:9090", "which is never spoken over TLS")
    let incomplete = try await configuration(files, ["ASSENT_TLS_CERTIFICATE_FILE"])
    #expect(incomplete == nil)
  }

  @Test(
    "the address of the page about signed documents reaches the service that prints it, where one is named",
    .enabled { await ComposeTests.hasCompose }, arguments: installations.map { $0[0] })
  func verification(file: String) async throws {
    let name = "ASSENT_VERIFICATION_ADDRESS"
    let named = try #require(try await configuration([file], [name]))
    let unnamed = try #require(try await configuration([file], []))
    #expect(named["services"]["consent"]["environment"][name].text == Self.variables[name])
    #expect(unnamed["services"]["consent"]["environment"][name] == .null)
  }

  /// What kustomize makes of a folder, by kind and name, validated by Kubernetes' own schemas.
  private func manifests(_ folder: String) async throws -> [String: JSONValue] {
    let script = Repository.path("Tests/Fixtures/compose/kubernetes.py")
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(Repository.python, ["-B", script, Repository.path(folder)]))
    try #require(exit.isSuccess, "\(lines)")
    return JSONValue(parsing: lines.joined(separator: "\n")).members
  }

  /// A file of YAML, with what is merged into its mappings.
  private func content(of file: String) async throws -> JSONValue {
    let reading = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(Repository.python, ["-c", reading, Repository.path("compose/\(file)")]))
    try #require(exit.isSuccess, "\(lines)")
    return JSONValue(parsing: lines.joined(separator: "\n"))
  }

  @Test(
    "services with databases write down what they erase, and heads that they sign, in a volume beside the database's")
  func erasures() async throws {
    let storing = ["consent", "signature", "account"]
    for file in Self.installations.map({ $0[0] }) {
      let whole = try await content(of: file)
      for name in storing {
        let service = whole["services"][name]
        #expect(service["environment"]["ASSENT_ERASURE_LIST"].text == "/data/erasures", "\(file): \(name)")
        #expect(service["environment"]["ASSENT_EVIDENCE_HEADS"].text == "/data/heads", "\(file): \(name)")
        #expect(service["volumes"].list.contains(.text("\(name)-erasures:/data")), "\(file): \(name)")
        #expect(whole["volumes"].members["\(name)-erasures"] != nil, "\(file): \(name)")
      }
    }
    let manifests = try await manifests("compose/kubernetes")
    for name in storing {
      let pod = manifests["Deployment/\(name)"]?["spec"]["template"]["spec"] ?? .null
      let container = try #require(pod["containers"].list.first)
      let variables = container["env"].list
      for (variable, path) in [("ASSENT_ERASURE_LIST", "/data/erasures"), ("ASSENT_EVIDENCE_HEADS", "/data/heads")] {
        #expect(variables.first { $0["name"].text == variable }?["value"].text == path, "\(name): \(variable)")
      }
      let mount = container["volumeMounts"].list.first { $0["mountPath"].text == "/data" }
      let volume = pod["volumes"].list.first { $0["name"] == mount?["name"] }
      let claim = try #require(volume?["persistentVolumeClaim"]["claimName"].text)
      let modes = manifests["PersistentVolumeClaim/\(claim)"]?["spec"]["accessModes"].list
      #expect(claim == "\(name)-erasures" && modes == [.text("ReadWriteMany")], "all replicas add to it")
    }
  }

  @Test("a service that takes an hour to migrate its database is not stopped for that")
  func migrating() async throws {
    let storing = ["consent", "signature", "account"]
    for file in Self.installations.map({ $0[0] }) {
      let services = try await content(of: file)["services"]
      for name in storing { #expect(services[name]["healthcheck"]["start_period"].text == "65m", "\(file): \(name)") }
      #expect(services["gateway"]["healthcheck"]["start_period"].text == "60s", "which migrates nothing")
    }
    let manifests = try await manifests("compose/kubernetes")
    for name in storing {
      let container = manifests["Deployment/\(name)"]?["spec"]["template"]["spec"]["containers"].list.first ?? .null
      for probe in ["startupProbe", "livenessProbe"] {
        #expect(container[probe]["httpGet"]["path"].text == "/healthz", "\(name): \(probe)")
      }
      #expect(container["readinessProbe"]["httpGet"]["path"].text == "/readyz", "\(name)")
    }
  }

  @Test("Kubernetes' manifests are valid, and with TLS gateways have a certificate and a key and nothing else changes")
  func kubernetes() async throws {
    var plain = try await manifests("compose/kubernetes")
    var encrypted = try await manifests("compose/kubernetes-tls")
    #expect(plain.count > 10)
    func container(_ manifest: JSONValue?) -> JSONValue {
      manifest?["spec"]["template"]["spec"]["containers"].list.first ?? .null
    }
    let consent = container(plain["Deployment/consent"])["env"].list
    let address = try #require(consent.first { $0["name"].text == "ASSENT_VERIFICATION_ADDRESS" })
    #expect(address["valueFrom"]["configMapKeyRef"]["optional"] == .bool(true))

    let before = container(plain.removeValue(forKey: "Deployment/gateway"))
    let gateway = encrypted.removeValue(forKey: "Deployment/gateway") ?? .null
    #expect(encrypted == plain)
    let after = container(gateway)
    let added = after["env"].list.filter { !before["env"].list.contains($0) }
    #expect(added.map(\.["name"].text) == ["ASSENT_TLS_CERTIFICATE", "ASSENT_TLS_KEY"])
    let volume = gateway["spec"]["template"]["spec"]["volumes"].list.first { $0["name"].text == "tls" }
    #expect(volume?["secret"]["secretName"].text == "gateway-tls")
    let mount = try #require(after["volumeMounts"].list.first { $0["name"].text == "tls" }?["mountPath"].text)
    for (variable, file) in zip(added, ["tls.crt", "tls.key"]) {
      #expect(variable["value"].text == "\(mount)/\(file)", "as the secret of that kind names it")
    }
  }
}
