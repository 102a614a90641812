import Base
import Sealing
import SignatureService

/// What lays documents out and seals them in tests.
enum SealBench {
  static func papers(
    trusting trusted: [Certificate] = [], patience: Duration = .seconds(300)
  ) -> PaperHandlers {
    let pool = FairPool(name: "test-paper", limits: FairLimits(threads: 2))
    let maker = PaperMaker(fonts: "/usr/share/fonts", patience: patience)
    return PaperHandlers(maker: maker, pool: pool, clock: .system) { _ in trusted }
  }

  static func key(from: Duration = .seconds(-60), for time: Duration = .seconds(86_400)) throws -> SealKey {
    let now = Clock.system.now
    return try KeyMaker.make(name: "Test seal", from: now + from, until: now + from + time, serial: [1, 2, 3])
  }

  static func seals(_ key: SealKey? = nil, stamper: (any TimeStamper)? = nil) throws -> SealHandlers {
    let sealer = Sealer(key: try key ?? Self.key(), stamper: stamper, nonce: { Randomness.system.bytes(16) })
    return SealHandlers(sealer: sealer, clock: .system)
  }
}
