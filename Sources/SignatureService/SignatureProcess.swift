internal import Base
internal import Bus
internal import ServiceKit
internal import ServicePolicy
internal import ServiceStorage
internal import Storage
internal import Typesetting

/// Builds the two kinds of this process.
enum SignatureProcess {
  /// Pictures only: this is the process to start more of.
  static func serveRendering(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let threads = settings[\.renderThreads]
    let pool = FairPool(name: "render", limits: FairLimits(threads: threads))
    let saved = RemoteSignatures(channel: try await host.channel())
    let render = render(settings, maker(settings, host.log, pool), saved)
    // These handlers wait only for other services, so they run where the pictures are drawn.
    try await host.serve([render], slots: threads, executor: pool.threads)
  }

  static func serveAll(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let stored = settings.settings(of: \.database)
    let housekeeping = settings.settings(of: \.housekeeping)
    let database = try await Database.open(
      try stored.preparedLocation(of: "signature"), schema: SignatureSchema.all, keys: try stored.masterKeys(),
      erasures: try stored.erasures(of: "signature"), trusting: try housekeeping.trustedKeys(), clock: host.clock,
      randomness: host.randomness)
    await host.lifecycle.onStop("database") { await database.close() }
    // ConsentService starts the erasure of subjects, because it knows when.
    let signer = try host.evidenceSigner(for: database, housekeeping)
    try await host.runPeriodicTasks(in: database, housekeeping, signingBy: signer)
    let data = ServiceDatabase(database)
    let identifiers = IdentifierSource(clock: host.clock, randomness: host.randomness)
    let pool = FairPool(name: "render", limits: FairLimits(threads: settings[\.renderThreads]))
    let maker = maker(settings, host.log, pool)
    let capture = SignatureHandlers(data: data, pictures: maker, evidence: signer, identifiers: identifiers)
    try await host.serve(
      [capture, render(settings, maker, StoredSignatures(data: data))], slots: settings[\.slots],
      executor: database.executor)
  }

  private static func maker(_ settings: Settings<SignatureSettings>, _ log: Log, _ pool: FairPool) -> PictureMaker {
    let typesetter = Typesetter(folder: settings[\.fonts])
    let missing = typesetter.missingPackages
    if !missing.isEmpty {
      log.warn(
        "fonts of typed names are missing", ["fonts": settings[\.fonts], "packages": missing.joined(separator: " ")])
    }
    return PictureMaker(
      pool: pool, cache: PictureCache(byteLimit: settings[\.pictureCache].bytes), typesetter: typesetter)
  }

  private static func render(
    _ settings: Settings<SignatureSettings>, _ maker: PictureMaker, _ saved: any SavedSignatures
  ) -> RenderHandlers {
    // Twice as many as are drawn at a time, so that one is always ready when a thread is free.
    RenderHandlers(maker: maker, saved: saved, batchWidth: settings[\.renderThreads] * 2)
  }
}
