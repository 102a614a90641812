internal import Authorities
internal import Base
internal import Documents
internal import RPC
internal import Sealing
internal import ServiceKit
internal import ServicePolicy
internal import ServiceStorage
internal import Storage
internal import Typesetting

/// Builds each kind of SignatureService's processes.
enum SignatureProcess {
  /// A process that only draws pictures: the kind to start more of when many are drawn.
  static func serveRendering(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let threads = settings[\.renderThreads]
    // One caller's pictures may wait in all slots.
    let limits = FairLimits(threads: threads, mostWaitingPerCaller: settings[\.slots])
    let pool = FairPool(name: "render", limits: limits)
    let saved = RemoteSignatures(channel: try await host.channel())
    let render = render(settings, maker(settings, host.log, pool, keepsSlots: true), saved)
    // These handlers wait only for other services, so they run on the threads that draw. There are as many slots as in
    // a process that keeps fields, so that the gateway chooses among the processes by how much each has to draw.
    try await host.serve([render], slots: settings[\.slots], executor: pool.threads)
  }

  /// A process that only lays out and checks documents. They show names, so this is a kind of its own.
  static func servePapers(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let seal = settings.settings(of: \.seal)
    let papers = papers(settings, host, trusting: try seal.trusted())
    try await host.serve([papers.handlers], slots: settings[\.paperThreads] * 2, executor: papers.pool.threads)
  }

  /// A process that only seals: it has the key, and learns nothing of documents but their hashes.
  static func serveSeals(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    // An empty folder is most likely the wrong one, since this process does nothing else than seal.
    guard let seals = try seals(settings, host), !seals.keys.all.isEmpty else {
      throw SealSetupError(
        description: "there is no key to seal with: give one by --seal-key-file, or tenants' own by --seal-key-folder")
    }
    let pool = BlockingPool(name: "seal", threads: max(2, NativeThread.cores))
    try await host.serve([seals.handlers], slots: settings[\.slots], executor: pool)
  }

  static func serveAll(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let stored = settings.settings(of: \.database)
    let housekeeping = settings.settings(of: \.housekeeping)
    let database = try await host.openDatabase(
      stored, of: "signature", schema: SignatureSchema.all,
      alongside: PrivacyStore.eraseAgain)
    // No periodic task erases subjects here: ConsentService starts each erasure, because it knows when.
    let signer = try await host.evidenceSigner(for: database, housekeeping)
    try await host.runPeriodicTasks(in: database, housekeeping, signingBy: signer)
    let data = ServiceDatabase(database) { MergedRelations(snapshot: $0) }
    await host.lifecycle.onStop("counts") { try await data.writeCounts() }
    let identifiers = IdentifierSource(clock: host.clock, randomness: host.randomness)
    let pool = FairPool(name: "render", limits: FairLimits(threads: settings[\.renderThreads]))
    let maker = maker(settings, host.log, pool)
    let capture = SignatureHandlers(data: data, pictures: maker, evidence: signer, identifiers: identifiers)
    let seals = try seals(settings, host)
    if let seals, seals.keys.all.isEmpty {
      host.log.warn("there is no key to seal with yet: copies wait until a tenant's own is put into its folder")
    }
    let trusted = try settings.settings(of: \.seal).trusted()
    var services: [any RPCService] = [
      capture, render(settings, maker, StoredSignatures(data: data)),
      papers(settings, host, trusting: trusted, sealedWith: seals?.keys).handlers,
    ]
    if let seals { services.append(seals.handlers) }
    try await host.serve(services, slots: settings[\.slots], executor: database.executor)
  }

  private static func papers(
    _ settings: Settings<SignatureSettings>, _ host: ServiceHost, trusting trusted: [Certificate],
    sealedWith keys: TenantSealKeys? = nil
  ) -> (handlers: PaperHandlers, pool: FairPool) {
    let missing = FontFolder(settings[\.fonts]).missingPackages
    if !missing.isEmpty {
      host.log.warn(
        "fonts of documents are missing", ["fonts": settings[\.fonts], "packages": missing.joined(separator: " ")])
    }
    let pool = FairPool(name: "paper", limits: FairLimits(threads: settings[\.paperThreads]))
    let maker = PaperMaker(fonts: settings[\.fonts], patience: settings[\.paperTime])
    let handlers = PaperHandlers(maker: maker, pool: pool, clock: host.clock) { tenant in
      trusted + (keys?.certificates(of: tenant) ?? [])
    }
    return (handlers, pool)
  }

  /// nil in a process that never gets a seal's key, so that it does not offer SealService.
  private static func seals(
    _ settings: Settings<SignatureSettings>, _ host: ServiceHost
  ) throws -> (handlers: SealHandlers, keys: TenantSealKeys)? {
    let seal = settings.settings(of: \.seal)
    guard let keys = try seal.keys() else { return nil }
    for (tenant, key) in keys.all where key.certificate.isSelfSigned {
      host.log.warn(
        "the seal's certificate vouches for itself: for development only",
        ["tenant": tenant ?? "all others", "certificate": key.certificate.subject])
    }
    let watch = SealWatch(keys, log: host.log)
    host.repeatedly {
      watch.look(at: host.clock.now)
      return Duration.days(1)
    }
    let randomness = host.randomness
    let (stamper, collector) = (seal.timeStamper(), try seal.collector())
    let handlers = SealHandlers(clock: host.clock) { tenant in
      let key = try keys.key(of: tenant)
      var proofs: (@Sendable () throws -> ProofCollector)?
      if let collector { proofs = { try collector(key.chain) } }
      return TenantSeal(
        sealer: Sealer(key: key, stamper: stamper, nonce: { randomness.bytes(16) }), collector: proofs)
    }
    return (handlers, keys)
  }

  private static func maker(
    _ settings: Settings<SignatureSettings>, _ log: Log, _ pool: FairPool, keepsSlots: Bool = false
  ) -> PictureMaker {
    let typesetter = Typesetter(folder: settings[\.fonts])
    let missing = typesetter.missingPackages
    if !missing.isEmpty {
      log.warn(
        "fonts of typed names are missing", ["fonts": settings[\.fonts], "packages": missing.joined(separator: " ")])
    }
    return PictureMaker(
      pool: pool, cache: PictureCache(byteLimit: settings[\.pictureCache].bytes), typesetter: typesetter,
      keepsSlots: keepsSlots)
  }

  private static func render(
    _ settings: Settings<SignatureSettings>, _ maker: PictureMaker, _ saved: any SavedSignatures
  ) -> RenderHandlers {
    // Twice as many pictures of a batch are in work as there are threads, so that a free thread always finds one.
    RenderHandlers(maker: maker, saved: saved, batchWidth: settings[\.renderThreads] * 2)
  }
}
