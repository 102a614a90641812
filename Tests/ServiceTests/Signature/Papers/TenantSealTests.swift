import Base
import Bus
import RPC
import Sealing
import ServiceKit
import ServicePolicy
import SignatureContract
import SignatureService
import Storage
import TestSupport
import Testing
import Wire

/// Keys of tenants: each seals its own tenant's documents, and nobody else's.
@Suite("Seals of tenants") struct TenantSealTests {
  private let folder: TemporaryFolder
  private let bus = InProcessBus()

  init() throws { folder = try TemporaryFolder() }

  private func key(_ name: String) throws -> SealKey {
    let now = Clock.system.now
    return try KeyMaker.make(
      name: name, from: now + .seconds(-60), until: now + .days(1), serial: [1] + Randomness.system.bytes(8))
  }

  private func put(_ key: SealKey, as name: String) throws {
    try Files.write(key.pem + key.certificate.pem, to: folder.file(name), mode: 0o600)
  }

  private func tenantKeys(common: SealKey?) throws -> TenantSealKeys {
    let keys = try TenantSealKeys(common: common, folder: folder.path)
    return try #require(keys)
  }

  private func serve(common: SealKey?) throws {
    let keys = try tenantKeys(common: common)
    bus.serve([
      SealHandlers(clock: .system) { tenant in
        TenantSeal(sealer: Sealer(key: try keys.key(of: tenant), nonce: { Randomness.system.bytes(16) }))
      }
    ])
  }

  /// Whose certificate a seal for a tenant bears.
  private func sealer(for tenant: String) async throws -> String {
    let service = CallerIdentity(kind: .service, tenant: tenant, subject: "consent")
    let digest = Digest(of: Array(tenant.utf8)).bytes
    return try await SealServiceClient(bus.channel().acting(for: service))
      .sealDocument(SealDocumentRequest(digest: digest)).sealedBy
  }

  private func expectRefusal(_ rule: String, _ tenant: String) async {
    do {
      let sealer = try await sealer(for: tenant)
      Issue.record("sealed by \(sealer)")
    } catch {
      let status = error as? Status
      #expect(status?.code == .failedPrecondition && status?.message.hasPrefix("\(rule): ") == true, "\(error)")
    }
  }

  @Test("a certificate is spoken of in the log from thirty days before its end, and as an error after that")
  func ends() throws {
    let now = Clock.system.now
    for (name, days) in [("alpha", 29), ("beta", 31), ("gamma", -1)] {
      let key = try KeyMaker.make(
        name: name, from: now + .days(-400), until: now + .days(days), serial: [1] + Randomness.system.bytes(8))
      try put(key, as: "\(name).key")
    }
    let capture = LogCapture()
    SealWatch(try tenantKeys(common: nil), log: capture.log()).look(at: now)
    let said = capture.events.map { ($0["tenant"], $0.level, $0.event) }
    #expect(said.map(\.0) == [.text("alpha"), .text("gamma")])
    #expect(said.map(\.1) == [.warn, .error])
    #expect(said.map(\.2) == ["the seal's certificate ends soon", "documents cannot be sealed"])
  }

  @Test("administrators and inspectors are told of the certificate that seals for them, and why it does not")
  func certificate() async throws {
    let now = Clock.system.now
    try put(
      try KeyMaker.make(
        name: "Late", from: now + .days(-400), until: now + .days(-1), serial: [1] + Randomness.system.bytes(8)),
      as: "late.key")
    try serve(common: try key("Common"))
    func certificate(_ tenant: String, _ grants: [String]) async throws -> GetSealCertificateResponse {
      let person = CallerIdentity(kind: .person, tenant: tenant, subject: "ada", grants: grants)
      return try await SealServiceClient(bus.channel(for: person)).getSealCertificate(GetSealCertificateRequest())
    }
    for grants in [["admin@*"], ["inspector@heart"]] {
      let common = try await certificate("alpha", grants)
      #expect(common.subject.contains("Common") && common.issuer.contains("Common") && common.problem.isEmpty)
      let (from, until) = (try #require(common.validFrom?.clamped), try #require(common.validUntil?.clamped))
      #expect(from < now && now < until)
      let late = try await certificate("late", grants)
      let end = try #require(late.validUntil?.clamped)
      #expect(end < now && late.problem.contains("expired"))
    }
    await #expect(throws: Status.self) { try await certificate("alpha", ["coordinator@heart"]) }
  }

  @Test("each tenant's own key seals for it, and the common one for those without")
  func keys() async throws {
    try put(try key("Alpha"), as: "alpha.key")
    let beta = try key("Beta")
    try Files.write(beta.pkcs12(passphrase: "two words"), to: folder.file("beta.key"), mode: 0o600)
    try Files.write(Array("two words\n".utf8), to: folder.file("beta.passphrase"), mode: 0o600)
    try serve(common: try key("Common"))
    for (tenant, name) in [("alpha", "Alpha"), ("beta", "Beta"), ("gamma", "Common"), ("alpha.key", "Common")] {
      #expect(try await sealer(for: tenant) == "CN = \(name)")
    }
  }

  @Test("without a common key tenants without one of their own are refused, until their key is there")
  func waiting() async throws {
    try put(try key("Alpha"), as: "alpha.key")
    try serve(common: nil)
    #expect(try await sealer(for: "alpha") == "CN = Alpha")
    await expectRefusal("no_seal_key", "beta")
    try put(try key("Beta"), as: "beta.key")
    #expect(try await sealer(for: "beta") == "CN = Beta")
    try put(try key("Beta 2"), as: "beta.key")
    #expect(try await sealer(for: "beta") == "CN = Beta 2")
    #expect(try await sealer(for: "alpha") == "CN = Alpha")
  }

  @Test("a process with an empty folder seals once a key is put there; without a folder and a common key none can come")
  func empty() async throws {
    try serve(common: nil)
    await expectRefusal("no_seal_key", "alpha")
    try put(try key("Alpha"), as: "alpha.key")
    #expect(try await sealer(for: "alpha") == "CN = Alpha")
    let isOfUse = try TenantSealKeys(common: nil, folder: nil) != nil
    #expect(!isOfUse)
  }

  @Test("a tenant's documents are checked with its key as it is now, also where nothing was sealed with it yet")
  func trusted() throws {
    let keys = try tenantKeys(common: try key("Common"))
    let tenant = try #require(Tenant("alpha"))
    #expect(keys.certificates(of: tenant).map(\.subject) == ["CN = Common"])
    for name in ["Alpha", "Alpha 2"] {
      try put(try key(name), as: "alpha.key")
      #expect(keys.certificates(of: tenant).map(\.subject) == ["CN = Common", "CN = \(name)"])
    }
    // What cannot be read takes nothing away from documents that are there.
    try Files.write(Array("-----BEGIN nothing".utf8), to: folder.file("alpha.key"), mode: 0o600)
    #expect(keys.certificates(of: tenant).map(\.subject) == ["CN = Common", "CN = Alpha 2"])
  }

  @Test("no other key takes the place of a tenant's own that is broken, gone or open to others")
  func noOther() async throws {
    try put(try key("Alpha"), as: "alpha.key")
    try put(try key("Beta"), as: "beta.key")
    try serve(common: try key("Common"))
    try Files.write(Array("-----BEGIN nothing".utf8), to: folder.file("alpha.key"), mode: 0o600)
    await expectRefusal("seal_key_unusable", "alpha")
    try Files.write(Array("x".utf8), to: folder.file("delta.key"), mode: 0o600)
    await expectRefusal("seal_key_unusable", "delta")
    let open = try key("Epsilon")
    try Files.write(open.pem + open.certificate.pem, to: folder.file("epsilon.key"), mode: 0o644)
    await expectRefusal("seal_key_unusable", "epsilon")
    _ = try await ChildProcess.output(of: ChildCommand("rm", [folder.file("beta.key")]))
    await expectRefusal("seal_key_unusable", "beta")
    #expect(try await sealer(for: "zeta") == "CN = Common")
    // Where nobody can look whether a tenant has a key of its own, none is taken.
    _ = try await ChildProcess.output(of: ChildCommand("rm", ["-r", folder.path]))
    await expectRefusal("seal_key_unusable", "zeta")
  }

  @Test("a folder with a key that cannot be used, or that is no tenant's, stops the start and is named")
  func start() throws {
    for (name, words) in [
      ("alpha.key", "alpha.key: the seal's PKCS#12 file cannot be read"),
      ("a b.key", "a b.key has the key of a tenant"),
    ] {
      let path = folder.file(name)
      try Files.write(Array("x".utf8), to: path, mode: 0o600)
      let error = #expect(throws: (any Error).self) {
        try TenantSealKeys(common: nil, folder: folder.path)
      }
      #expect("\(error as Any)".contains(words), "\(error as Any)")
      try put(try key("Alpha"), as: "alpha.key")
    }
  }
}
