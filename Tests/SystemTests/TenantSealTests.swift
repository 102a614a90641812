import Base
internal import Bus
import ConsentContract
import RPC
import Sealing
import TestSupport
import Testing

/// Keys of tenants, in a process of its own that seals for those only whose keys it has.
@Suite(.serialized) struct TenantSealTests {
  /// Makes a tenant's key as an operator does; answers its certificate.
  private func makeKey(_ folder: String, for tenant: String) async throws -> Certificate {
    let (exit, lines) = try await ChildProcess.output(
      of: ChildCommand(Products.program("assent"), ["keys", "seal", folder, "--tenant", tenant]))
    #expect(exit.isSuccess, "\(lines)")
    return try #require(Certificate.list(pem: Files.read("\(folder)/\(tenant).key.crt")).first)
  }

  @Test(
    "each tenant's document is sealed with its own key, and waits as long as there is none", .timeLimit(.minutes(5)))
  func tenants() async throws {
    let system = try await TestSystem.start()
    let keys = system.folder.file("seal-keys")
    let first = try await makeKey(keys, for: "t1")
    let data = ["--data", system.folder.file("data")]
    let master = ["ASSENT_MASTER_KEY": Optional(String(repeating: "5a", count: 32))]
    try await system.startWorker("ConsentService", data, environment: master)
    try await system.startWorker("SignatureService", data, environment: master)
    try await system.startWorker("SignatureService", ["--seal-only", "--seal-key-folder", keys])
    let connection = try await system.connect()
    let (ours, theirs) = (
      SealedPeople(channel: connection.channel), SealedPeople(channel: connection.channel, tenant: "t2")
    )
    try await ours.open()
    try await theirs.open()
    let (mine, other) = (try await ours.sign("ada"), try await theirs.sign("ada"))
    let sealed = try await ours.copy(mine) { $0.state == .sealed }
    #expect(sealed.state == .sealed && sealed.sealedBy.contains("O = t1"), "\(sealed)")
    let waiting = try await theirs.copy(other) { $0.reason.hasPrefix("no_seal_key: ") }
    #expect(waiting.state == .sealing && waiting.reason.hasPrefix("no_seal_key: "), "\(waiting)")

    // Put there while the process runs.
    let second = try await makeKey(keys, for: "t2")
    let later = try await theirs.copy(other) { $0.state == .sealed }
    #expect(later.state == .sealed && later.sealedBy.contains("O = t2"), "\(later)")
    let (one, two) = (try await ours.file(mine).content, try await theirs.file(other).content)
    for (file, own, stranger) in [(one, first, second), (two, second, first)] {
      func verdict(_ root: Certificate) -> Verdict {
        DocumentVerifier(trusting: Trust(roots: [root]), at: Clock.system.now).verify(file).verdict
      }
      #expect(verdict(own) == .passed && verdict(stranger) == .indeterminate)
    }
    try await connection.close()
  }

  @Test("a process that is to seal and has a folder without keys says so, and does not start", .timeLimit(.minutes(1)))
  func empty() async throws {
    let folder = try TemporaryFolder()
    let words = [
      "-c", "exec \"$@\" 2>&1", "sh", Products.program("SignatureService"), "--bus-folder", folder.file("bus"),
      "--seal-only", "--seal-key-folder", folder.path,
    ]
    let (exit, lines) = try await ChildProcess.output(of: ChildCommand("sh", words))
    #expect(!exit.isSuccess)
    #expect(lines.joined().contains("there is no key to seal with"), "\(lines)")
    withExtendedLifetime(folder) {}
  }
}
