internal import Base
internal import RPC
internal import ServicePolicy

/// Argon2id on a thread pool of its own, in which tenants take turns, and the devices of each: a burst of sign-ins
/// occupies only these threads, and their memory and cores.
package struct PasscodePool: Sendable {
  /// For whom a passcode is hashed: a device of a tenant. Each tenant has its share of the queue, however many devices
  /// it registers.
  struct Turn: Sendable {
    let tenant: String
    let device: String
  }

  package let cost: Argon2Cost
  private let pool: FairPool
  /// The verifier that is checked for a person who has none, so that the answer takes as long.
  private let standIn: String

  package init(threads: Int, cost: Argon2Cost = .standard, mostWaiting: Int = 1024) {
    self.cost = cost
    pool = FairPool(
      name: "passcode", limits: FairLimits(threads: threads, mostWaitingPerCaller: 32, mostWaiting: mostWaiting))
    guard let standIn = Argon2.verifier(of: Array("nobody's".utf8), cost) else {
      preconditionFailure("there is no memory for one passcode")
    }
    self.standIn = standIn
  }

  /// Whether a passcode matches a verifier. Without a verifier the answer is false, and takes as long.
  func verifies(_ passcode: String, _ verifier: String?, for turn: Turn) async throws -> Bool {
    let bytes = Array(passcode.utf8)
    let stored = verifier ?? standIn
    let isRight = try await run(for: turn) { Argon2.verifies(bytes, stored) }
    return isRight && verifier != nil
  }

  func verifier(of passcode: String, for turn: Turn) async throws -> String {
    let (bytes, cost) = (Array(passcode.utf8), cost)
    guard let verifier = try await run(for: turn, { Argon2.verifier(of: bytes, cost) }) else {
      throw Refusal(.exhausted, "passcode_memory", "there is no memory for a passcode now; try again")
    }
    return verifier
  }

  private func run<Value: Sendable>(
    for turn: Turn, _ work: @escaping @Sendable () -> Value
  ) async throws -> Value {
    let waiting = FairPool.Waiting(freeingSlotOf: CallContext.current)
    do {
      return try await pool.run(for: "\(turn.tenant)/\(turn.device)", of: turn.tenant, waiting: waiting) {
        work()
      } full: {
        work()
      }
    } catch is FairRefusal {
      throw Refusal(.exhausted, "passcodes_wait", "too many passcodes wait to be checked; try again")
    }
  }
}
