internal import Base
internal import ServiceKit
internal import ServiceStorage
internal import Storage
internal import Typesetting

/// What the two kinds of this process are built from.
enum SignatureProcess {
  /// Pictures only: the process that one starts more of.
  static func serveRendering(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let threads = settings[\.renderThreads]
    let pool = BlockingPool(name: "render", threads: threads)
    let saved = RemoteSignatures(channel: try await host.channel())
    // Nothing here waits for anything but other services: handlers run where the pictures are drawn.
    try await host.serve([render(settings, host.log, pool, saved)], slots: threads, executor: pool)
  }

  static func serveAll(_ settings: Settings<SignatureSettings>, _ host: ServiceHost) async throws {
    let stored = settings.settings(of: \.database)
    let database = try await Database.open(
      try stored.preparedLocation(of: "signature"), schema: SignatureSchema.all, keys: try stored.masterKeys(),
      clock: host.clock, randomness: host.randomness)
    await host.lifecycle.onStop("database") { await database.close() }
    // Erasing subjects is ConsentService's business, which knows when.
    await host.runPeriodicTasks(in: database, settings.settings(of: \.housekeeping))
    let store = FieldStore(
      database: database, identifiers: IdentifierSource(clock: host.clock, randomness: host.randomness))
    let pool = BlockingPool(name: "render", threads: settings[\.renderThreads])
    let render = render(settings, host.log, pool, StoredSignatures(store: store))
    try await host.serve(
      [SignatureHandlers(store: store), render], slots: settings[\.slots], executor: database.executor)
  }

  private static func render(
    _ settings: Settings<SignatureSettings>, _ log: Log, _ pool: BlockingPool, _ saved: any SavedSignatures
  ) -> RenderHandlers {
    let typesetter = Typesetter(folder: settings[\.fonts])
    let missing = typesetter.missingPackages
    if !missing.isEmpty {
      log.warn(
        "fonts of typed names are missing", ["fonts": settings[\.fonts], "packages": missing.joined(separator: " ")])
    }
    let maker = PictureMaker(
      pool: pool, cache: PictureCache(byteLimit: settings[\.pictureCache].bytes), typesetter: typesetter)
    // Twice as many as are drawn at a time, so that one is always ready when a thread is.
    return RenderHandlers(maker: maker, saved: saved, batchWidth: settings[\.renderThreads] * 2)
  }
}
