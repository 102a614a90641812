import Base
import BenchKit
import InteropContract
import Tokens
import Wire

/// Echo calls over HTTP by devices with access tokens, beside the same calls by a device with an API key, for which
/// nothing but a hash is looked up: with one token again and again, and with one that the gateway has not seen for each
/// call. The echo service admits no people; their tokens are checked in the same way.
enum TokenCases {
  private static let secret = [UInt8](repeating: 0x7E, count: 32)

  static func measure(_ bench: inout Bench) async throws {
    try await EchoSystem.start(tokenSecret: secret).lend { try await measure(&bench, $0) }
  }

  private static func measure(_ bench: inout Bench, _ system: EchoSystem) async throws {
    let folder = system.folder
    let echo = IdempotentUnaryCallRequest(responseSize: 128, payload: Payload(body: [UInt8](repeating: 7, count: 128)))
    try Files.write(try echo.encoded(), to: folder.file("proto128"))
    let count = bench.options.number("tokens", default: 150_000)
    for (name, count) in [("one", 1), ("many", count)] {
      try Files.write(Array(tokens(count, name).joined(separator: "\n").utf8), to: folder.file(name))
    }
    try Files.write(Array(system.key.utf8), to: folder.file("key"))
    try await system.untilTokensCount(tokens(1, "first"))
    let base = load(system, "key")
    for (row, name, file) in [
      ("token_cached", "128-byte calls over HTTP with a token that is known", "one"),
      ("token_fresh", "128-byte calls over HTTP, each with a token that is new", "many"),
    ] {
      let ours = load(system, file)
      await bench.compare(
        row, name, unit: .perSecond, ours: { try await ours.measure("proto128") },
        peers: ["api_key": { try await base.measure("proto128") }])
    }
  }

  /// A client whose calls take the credentials of a file in turn.
  private static func load(_ system: EchoSystem, _ file: String) -> Peer {
    .compiled(
      "http/http_load.cc", flags: ["-lmicrohttpd"],
      arguments: [system.folder.path, "credentials", system.web, system.folder.file(file)])
  }

  private static func tokens(_ count: Int, _ name: String) -> [String] {
    let keys = TokenKeys(secret: secret)
    let now = Clock.system.now
    return (0..<count).map { number in
      keys.token(
        TokenClaims(
          use: .device, tenant: "bench", subject: "\(name)-\(number)", device: "\(name)-\(number)",
          grants: ["heart/north"], issuedAt: now, expiresAt: now + .seconds(3600)))
    }
  }
}

/// A gateway that answers HTTP, the bus's echo service, and an AccountService from which the gateway learns the keys of
/// tokens and what was revoked.
private struct EchoSystem: Stoppable {
  let folder: TemporaryFolder
  let key: String
  /// The port of the gateway's HTTP door.
  let web: String
  private let processes: [ChildProcess]

  static func start(tokenSecret: [UInt8]) async throws -> EchoSystem {
    let folder = try TemporaryFolder()
    let list = ["--api-key-list", folder.file("api-keys")]
    let key = try await Program.key("bench", list)
    let bus = ["--bus-folder", folder.file("bus")]
    let (gateway, ready) = try await Program.startHeard(
      "gateway", bus + list + ["--http-listen", "127.0.0.1:0", "--key-rate", "0"])
    guard let web = Program.port(of: "http://", in: ready) else {
      throw SyncFailure("the gateway announced no HTTP: \(ready)")
    }
    let echo = try await Program.start("InteropService", bus + ["--slots", "64"])
    let account = try await Program.start(
      "AccountService", bus + ["--data", folder.file("data")],
      environment: [
        "ASSENT_MASTER_KEY": String(repeating: "5a", count: 32), "ASSENT_TOKEN_SECRET": Hex.encode(tokenSecret),
      ])
    return EchoSystem(folder: folder, key: key, web: web, processes: [account, echo, gateway])
  }

  /// Waits until the gateway has heard which tokens are revoked, without which it answers UNAVAILABLE.
  func untilTokensCount(_ tokens: [String]) async throws {
    let address = "http://127.0.0.1:\(web)/assent.interop.v1.InteropService/IdempotentUnaryCall"
    var last: [String] = []
    for _ in 0..<200 {
      let (exit, lines) = try await ChildProcess.output(
        of: ChildCommand(
          "curl",
          [
            "-sS", "-w", "\\n%{http_code}", "-H", "content-type: application/json", "-H",
            "authorization: Bearer \(tokens[0])", "-d", "{}", address,
          ]))
      if exit.isSuccess, lines.last == "200" { return }
      last = lines
      try await Task.sleep(for: .milliseconds(50))
    }
    throw SyncFailure("the gateway takes no tokens: \(last.joined(separator: " "))")
  }

  func stop() async {
    for process in processes { await process.stop() }
  }
}
