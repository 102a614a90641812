import Base
import TestSupport
import Testing

/// `assent up` with real programs. One test at a time, since each starts several processes.
@Suite(.serialized) struct UpTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Starts a system, with these lines as its settings file.
  private func start(settings: String? = nil) async throws -> RunningProgram {
    var arguments = ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data")]
    if let settings {
      try Files.write(Array(settings.utf8), to: folder.file("settings"))
      arguments += ["--config", folder.file("settings")]
    }
    let up = try await RunningProgram.start("assent", arguments)
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    return up
  }

  /// Runs a command in another folder than the one that holds the project; returns the output of both its streams.
  private func assent(_ words: String...) async throws -> (exit: ProcessExit, said: String) {
    let program = try Files.absolutePath(Products.program("assent"))
    var command = ChildCommand("sh", ["-c", "exec \"$@\" 2>&1", "sh", program] + words)
    command.directory = folder.path
    let (exit, lines) = try await ChildProcess.output(of: command)
    return (exit, lines.joined(separator: "\n"))
  }

  /// The process ids of a system's programs, as the kernel knows them.
  private func children(of process: Int32) throws -> Set<Int32> {
    let tasks = try Files.names(in: "/proc/\(process)/task")
    let lists = tasks.map { task in
      (try? Files.read("/proc/\(process)/task/\(task)/children")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return Set(lists.flatMap { $0.split(separator: " ").compactMap { Int32($0) } })
  }

  /// Whether a process exists and is not a zombie.
  private func isAlive(_ process: Int32) -> Bool {
    guard let stat = try? Files.read("/proc/\(process)/stat") else { return false }
    return String(decoding: stat, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == false
  }

  @Test("one command starts every program, and one signal stops them all in order", .timeLimit(.minutes(2)))
  func life() async throws {
    let up = try await start()
    let programs = try children(of: up.id)
    #expect(programs.count == 5)
    for kind in ["gateway", "consent", "signature", "account"] {
      #expect(up.lines.contains { $0.hasPrefix("✓ \(kind)") })
    }
    let demo = "assent demo --data \(folder.file("data")) "
    #expect(up.lines.contains { $0.hasPrefix("Try:") && $0.contains(demo) })
    let listed = try await assent("accounts", "list", "--data", folder.file("data"))
    #expect(listed.exit.isSuccess && listed.said.hasPrefix("person"), "\(listed.said)")
    let lost = try await assent("accounts", "list", "--data", folder.file("other"))
    #expect(!lost.exit.isSuccess)
    #expect(lost.said.hasPrefix("assent accounts: UNAVAILABLE: no gateway answered within 5s at "), "\(lost.said)")
    #expect(lost.said.contains("\(folder.file("other"))/bus/clients"), "\(lost.said)")
    up.send(.interrupt)
    #expect(await up.wait() == .code(0))
    #expect(!programs.contains(where: isAlive))
  }

  @Test(
    "the first start makes keys that only their user can read, and later ones keep them", .timeLimit(.minutes(2)),
    arguments: ["master", "evidence"])
  func madeKeys(name: String) async throws {
    var keys: Set<[UInt8]> = []
    for settings in ["[consent]\nslots = 2\n", nil] {
      let up = try await start(settings: settings)
      keys.insert(try Files.read(folder.file("data/\(name).key")))
      up.send(.terminate)
      #expect(await up.wait() == .code(0))
    }
    #expect(keys.count == 1)
    #expect(keys.first?.count == 65)
    let mode = try await ChildProcess.output(of: ChildCommand("stat", ["-c", "%a", folder.file("data/\(name).key")]))
    #expect(mode.lines == ["600"])
  }

  @Test(
    "keys reach the programs that keep data and no other, wherever they came from",
    .timeLimit(.minutes(2)), arguments: [true, false])
  func onlyWhoNeedsIt(isGiven: Bool) async throws {
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: folder.file("key"), mode: 0o600)
    let environment: [String: String?] =
      isGiven
      ? ["ASSENT_MASTER_KEY_FILE": folder.file("key"), "ASSENT_EVIDENCE_KEY_FILE": folder.file("key")] : [:]
    let up = try await RunningProgram.start(
      "assent", ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data")], environment: environment)
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    var have: [String] = []
    for (program, own) in try variables(of: up) {
      for key in ["MASTER", "EVIDENCE", "SEAL"] where own.contains(where: { $0.hasPrefix("ASSENT_\(key)_KEY") }) {
        have.append("\(key) \(program)")
      }
    }
    let programs = ["account", "consent", "signature-1"]
    #expect(have.sorted() == programs.map { "EVIDENCE \($0)" } + programs.map { "MASTER \($0)" } + ["SEAL signature-1"])
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  /// The parts of a file in which each ends with a zero, as the kernel shows a process.
  private func text(_ path: String) throws -> [String] {
    try Files.read(path).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The variables of each of a system's programs, by its name.
  private func variables(of up: RunningProgram) throws -> [String: [String]] {
    var variables: [String: [String]] = [:]
    for program in try children(of: up.id) {
      variables[try text("/proc/\(program)/cmdline").last ?? ""] = try text("/proc/\(program)/environ")
    }
    return variables
  }

  @Test("a configured master key is used by every service, and none is made", .timeLimit(.minutes(2)))
  func givenKey() async throws {
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: folder.file("key"), mode: 0o600)
    let up = try await start(settings: "[up]\nmaster-key-file = \(folder.file("key"))\n")
    #expect(!Files.exists(folder.file("data/master.key")))
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test(
    "a key that one service's section names is for that service, and the others use the one that was made",
    .timeLimit(.minutes(2)))
  func ownSection() async throws {
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: folder.file("key"), mode: 0o600)
    let up = try await start(settings: "[consent]\nevidence-key-file = \(folder.file("key"))\n")
    let files = try variables(of: up).compactMapValues { variables in
      variables.first { $0.hasPrefix("ASSENT_EVIDENCE_KEY_FILE=") }
    }
    let made = "ASSENT_EVIDENCE_KEY_FILE=\(try Files.absolutePath(folder.file("data/evidence.key")))"
    #expect(files == ["account": made, "signature-1": made])
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test(
    "what a service's section says of keys and of the page about documents counts against what assent up is given",
    .timeLimit(.minutes(2)))
  func ownKeys() async throws {
    for (name, digits) in [("all", "5a"), ("own", "6b")] {
      try Files.write(Array(String(repeating: digits, count: 32).utf8), to: folder.file(name), mode: 0o600)
    }
    let up = try await start(
      settings: """

        [up]
        master-key-file = \(folder.file("all"))
        evidence-key-file = \(folder.file("all"))
        verification-address = https://all.example/verify/
        [account]
        master-key-file = \(folder.file("own"))
        evidence-key-file = \(folder.file("own"))
        [consent]
        verification-address = https://own.example/verify/
        [signature]
        seal-key-folder = \(folder.path)
        """)
    let given = try variables(of: up)
    func has(_ program: String, _ variable: String) -> Bool {
      given[program]?.contains { $0.hasPrefix("ASSENT_\(variable)=") } == true
    }
    #expect(given.count == 5)
    for key in ["MASTER_KEY", "EVIDENCE_KEY"] {
      #expect(has("consent", key) && has("signature-1", key))
      #expect(!has("account", key) && !has("account", "\(key)_FILE"))
    }
    #expect(!has("consent", "VERIFICATION_ADDRESS"))
    #expect(has("signature-1", "SEAL_KEY_FILE") && !has("signature-1", "SEAL_KEY_FOLDER"))
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test(
    "a section that would send a service elsewhere than to the gateways is refused in one line, before a start",
    arguments: [
      ("[consent]\nservices-door = tcp://gateway:5571", "[consent] names a services-door"),
      ("[account]\nbus-folder = elsewhere", "[account] names a bus-folder"),
      ("[gateway]\nservices-door = tcp://127.0.0.1:0", "the gateway is given a services-door"),
    ])
  func elsewhere(settings: String, words: String) async throws {
    try Files.write(Array("\(settings)\n".utf8), to: folder.file("settings"))
    let up = try await RunningProgram.start(
      "assent", ["up", "--data", folder.file("data"), "--config", folder.file("settings")])
    #expect(await up.wait() == .code(1))
    #expect(up.logLines.filter { $0.contains(words) }.count == 1, "\(up.logLines)")
    #expect(!Files.exists(folder.file("data")))
  }

  @Test("the help names every setting that the programs take, under their sections, and they take each")
  func helpOfPrograms() async throws {
    let help = try await assent("up", "--help").said.split(separator: "\n")
    /// `  --data FOLDER …` and `    jobs N …` name settings.
    func name(_ line: Substring, after prefix: String) -> String? {
      guard line.hasPrefix(prefix), let first = line.dropFirst(prefix.count).first, first != " " else { return nil }
      return String(line.dropFirst(prefix.count).prefix { $0 != " " })
    }
    let own = Set(help.compactMap { name($0, after: "  --") })
    var named: [Substring: Set<String>] = [:]
    var sections: [Substring] = []
    for line in help {
      if line.hasPrefix("[") { sections = line.split(separator: " ").map { $0.dropFirst().dropLast() } }
      for section in sections { name(line, after: "    ").map { _ = named[section, default: []].insert($0) } }
    }
    let programs = [
      "gateway": "gateway", "consent": "ConsentService", "signature": "SignatureService", "account": "AccountService",
      "interop": "InteropService",
    ]
    #expect(Set(named.keys.map { String($0) }) == Set(programs.keys))
    #expect(named["signature"]?.contains("seal-time-authority") == true)
    for (section, program) in programs {
      let (exit, lines) = try await ChildProcess.output(of: ChildCommand(Products.program(program), ["--help"]))
      let decided: Set = section == "gateway" ? ["services-door"] : ["services-door", "bus-folder"]
      let taken = Set(lines.compactMap { name($0[...], after: "  --") }).subtracting(own).subtracting(decided)
      #expect(exit.isSuccess && named[section[...]] == taken.subtracting(["instance", "config", "help", "version"]))
      // Of all names in a file, the only one that the program refuses is another one.
      let names = (named[section[...]] ?? []).sorted() + ["no-such-setting"]
      let file = "[\(section)]\n" + names.map { "\($0) = 1\n" }.joined()
      try Files.write(Array(file.utf8), to: folder.file("settings"))
      let tried = try await RunningProgram.start(program, ["--config", folder.file("settings")])
      #expect(await tried.wait() == .code(2))
      #expect(tried.logLines.contains { $0.contains("no-such-setting is unknown") }, "\(tried.logLines)")
    }
  }

  @Test("what a program's own section says counts for it, and for no other", .timeLimit(.minutes(2)))
  func ownSettings() async throws {
    let up = try await start(
      settings: """
        [gateway]
        log-level = info
        bus-folder = \(folder.file("sockets"))
        [consent]
        data = \(folder.file("consent"))
        evidence-heads = \(folder.file("heads"))
        """)
    #expect(await up.logLine(containing: "event=ready service=gateway ") != nil)
    #expect(!up.logLines.contains { $0.contains("event=ready service=account ") })
    for file in ["sockets/services", "consent/consent.db", "heads", "data/account.db", "data/account.heads"] {
      #expect(Files.exists(folder.file(file)), "\(file)")
    }
    #expect(!Files.exists(folder.file("data/consent.db")))
    let given = try variables(of: up)
    #expect(given["gateway"]?.contains { $0.hasPrefix("ASSENT_LOG_LEVEL=") } == false)
    #expect(given["account"]?.contains("ASSENT_LOG_LEVEL=warn") == true)
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test("where the gateway speaks TLS only, documents lead to its page over TLS", .timeLimit(.minutes(2)))
  func encryptedPage() async throws {
    let files = try await TLSFiles.make(in: folder)
    // A port that is free now.
    let gateway = try await RunningProgram.start(
      "gateway", ["--http-listen", "127.0.0.1:0", "--bus-folder", folder.file("bus")])
    let words = try #require(await gateway.line(containing: "ready"), "\(gateway.logLines)").split(separator: " ")
    let place = try #require(words.first { $0.hasPrefix("http://") }).dropFirst("http://".count)
    gateway.send(.terminate)
    #expect(await gateway.wait() == .code(0))
    let up = try await start(
      settings: """
        [gateway]
        http-listen = \(place)
        tls-certificate = \(files.certificate)
        tls-key = \(files.key)
        """)
    #expect(up.lines.contains { $0.hasPrefix("✓ gateway") && $0.contains("https://\(place)") }, "\(up.lines)")
    let given = try variables(of: up)["consent"]
    #expect(given?.contains("ASSENT_VERIFICATION_ADDRESS=https://\(place)/verify/") == true, "\(given ?? [])")
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test("a section that names one folder for two gateways is refused in one line, before anything is started")
  func oneFolder() async throws {
    try Files.write(Array("[gateway]\nbus-folder = \(folder.file("bus"))\n".utf8), to: folder.file("settings"))
    let up = try await RunningProgram.start(
      "assent", ["up", "--data", folder.file("data"), "--config", folder.file("settings"), "--gateway", "2"])
    #expect(await up.wait() == .code(1))
    #expect(up.logLines.filter { $0.contains("[gateway] names one bus-folder for 2 gateways") }.count == 1)
    #expect(!up.lines.contains { $0.hasPrefix("✓ gateway") })
  }

  @Test("gateways take no address that another installation's gateways share")
  func takenAddress() async throws {
    let other = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--http-listen", "127.0.0.1:0", "--share-addresses"])
    let place = try address(in: try #require(await other.line(containing: "ready"), "\(other.logLines)"))
    let up = try await RunningProgram.start(
      "assent", ["up", "--data", folder.file("data"), "--http-listen", place, "--gateway", "2"])
    #expect(await up.wait() == .code(1))
    #expect(up.logLines.contains { $0.contains("listen on \(place)") }, "\(up.logLines)")
    other.send(.terminate)
    #expect(await other.wait() == .code(0))
  }

  /// The host and port of the first address over HTTP in a line that a program has announced itself with.
  private func address(in line: String) throws -> String {
    let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
    return String(url.dropFirst("http://".count))
  }

  @Test("two gateways share one address, and no answered call is lost when one is killed", .timeLimit(.minutes(2)))
  func sharedAddress() async throws {
    // A port that is free now.
    let probe = try await RunningProgram.start(
      "gateway", ["--bus-folder", folder.file("bus"), "--http-listen", "127.0.0.1:0"])
    let place = try address(in: try #require(await probe.line(containing: "ready"), "\(probe.logLines)"))
    probe.send(.terminate)
    #expect(await probe.wait() == .code(0))
    let up = try await RunningProgram.start(
      "assent",
      [
        "up", "--data", folder.file("data"), "--http-listen", place, "--grpc-listen", "127.0.0.1:0", "--gateway", "2",
        "--consent", "0", "--signature", "0", "--account", "0", "--interop",
      ], environment: ["ASSENT_JOURNAL": folder.file("journal")])
    _ = try #require(await up.line(containing: "Ctrl-C"), "\(up.logLines)")
    #expect(up.lines.contains { $0.hasPrefix("✓ gateway") && $0.contains("http://\(place)") }, "\(up.lines)")
    let created = try await assent(
      "keys", "api", "create", "tester", "--tenant", "acme", "--kind", "device", "--data", folder.file("data"))
    let key = try #require(created.said.split(separator: "\n").last { $0.hasPrefix("ak_") }, "\(created.said)")
    let variables = try variables(of: up)
    let secrets = ["gateway-1", "gateway-2"].map { name in
      variables[name]?.first { $0.hasPrefix("ASSENT_BUS_KEY_FILE=") }
    }
    #expect(secrets[0] != nil && secrets[0] == secrets[1], "each opens what the other has sealed")
    let gateways = try children(of: up.id).filter { try text("/proc/\($0)/cmdline").last?.hasPrefix("gateway") == true }
    let load = try await RunningProgram.startPython(
      [Repository.path("Tests/Fixtures/http/shared.py"), folder.file("journal")] + gateways.map(String.init),
      environment: ["ASSENT_ADDRESS": "http://\(place)", "ASSENT_KEY": String(key)])
    #expect(await load.wait() == .code(0), "\(load.logLines)\n\(up.logLines.suffix(10))")
    #expect(load.lines == ["no answered call was lost"])
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test("a program that is killed is started again", .timeLimit(.minutes(2)))
  func restart() async throws {
    let up = try await start()
    let before = try children(of: up.id)
    let victim = try #require(before.min())
    _ = try await ChildProcess.output(of: ChildCommand("sh", ["-c", "kill -9 \(victim)"]))
    _ = try #require(await up.logLine(containing: "program ended, to be started again"))
    try await eventually("all run again", children(of: up.id).subtracting([victim])) { $0.count == before.count }
    up.send(.terminate)
    #expect(await up.wait() == .code(0))
  }

  @Test("when the supervisor itself is killed, nothing is left running", .timeLimit(.minutes(2)))
  func noOrphans() async throws {
    let up = try await start()
    let programs = try children(of: up.id)
    #expect(programs.count == 5)
    up.send(.kill)
    #expect(await up.wait() == .signal(9))
    try await eventually("all have ended", programs.filter(isAlive)) { $0.isEmpty }
  }

  @Test("a program that cannot start is named, and nothing is left running", .timeLimit(.minutes(2)))
  func cannotStart() async throws {
    try Files.write(Array("[consent]\nno-such-setting = 1\n".utf8), to: folder.file("settings"))
    let up = try await RunningProgram.start(
      "assent",
      ["up", "--http-listen", "127.0.0.1:0", "--data", folder.file("data"), "--config", folder.file("settings")])
    #expect(await up.wait() == .code(1))
    #expect(up.logLines.contains { $0.hasPrefix("consent | consent: ") && $0.contains("no-such-setting is unknown") })
    #expect(up.logLines.contains { $0.contains("consent ended with 2 before it was ready") })
  }
}
