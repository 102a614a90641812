import Authorities
import Base
import Sealing
import SignatureService
import Synchronization
import Testing

/// A seal under a root, with a time-stamping authority and lists of revocations of its own: each is away when a test
/// wants it to be, and the authority's certificate ends when a test says.
final class SealChain: Sendable {
  let root: SealKey
  private let seal: SealKey
  private let clock: Clock
  private let state: Mutex<State>

  private struct State {
    var stamper: OwnTimeStamper?
    var publishes = true
    var isNamed = true
    var serial: UInt8 = 9
  }

  /// - Parameter days: how long the seal's certificate is valid.
  init(_ clock: Clock, days: Int = 3650) throws {
    let now = clock.now
    root = try KeyMaker.make(
      name: "Root", purpose: .authority, from: now + .days(-1), until: now + .days(9000), serial: [1])
    seal = try KeyMaker.make(
      name: "Seal", from: now + .days(-1), until: now + .days(days), serial: [2], issuer: root)
    self.clock = clock
    state = Mutex(State())
  }

  /// A certificate for the authority that attests times from here on; 0: it is down.
  func attest(days: Int) throws {
    guard days > 0 else { return state.withLock { $0.stamper = nil } }
    let serial = state.withLock { state in
      state.serial += 1
      return state.serial
    }
    let key = try KeyMaker.make(
      name: "Time \(serial)", purpose: .timeStamping, from: clock.now + .seconds(-60), until: clock.now + .days(days),
      serial: [serial], issuer: root)
    let stamper = OwnTimeStamper(key) { [clock] in clock.now }
    state.withLock { $0.stamper = stamper }
  }

  /// Whether lists of revocations can be had.
  func publish(_ publishes: Bool) { state.withLock { $0.publishes = publishes } }

  /// Whether the process that seals was told where such lists are.
  func name(_ isNamed: Bool) { state.withLock { $0.isNamed = isNamed } }

  struct Away: Error {}

  var handlers: SealHandlers {
    SealHandlers(
      sealer: Sealer(key: seal, stamper: self, nonce: { Randomness.system.bytes(16) }),
      collector: { [self] in try collector() }, clock: clock)
  }

  private func collector() throws -> ProofCollector {
    let (publishes, isNamed) = state.withLock { ($0.publishes, $0.isNamed) }
    guard isNamed else { return ProofCollector(AuthorityClient(), knowing: [root.certificate]) }
    guard publishes else { throw Away() }
    let list = KeyMaker.revocations(by: root, at: clock.now + .seconds(-60), until: clock.now + .days(7))
    return ProofCollector(AuthorityClient(), knowing: [root.certificate], lists: [list])
  }

  func verify(_ file: [UInt8]) -> DocumentReport {
    DocumentVerifier(trusting: Trust(roots: [root.certificate]), at: clock.now).verify(file)
  }
}

extension SealChain: TimeStamper {
  func answer(to request: [UInt8]) async throws -> [UInt8] {
    guard let stamper = state.withLock({ $0.stamper }) else { throw Away() }
    return try await stamper.answer(to: request)
  }
}
