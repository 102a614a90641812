import Base
import Bus
import StorageTestKit
import TestSupport
import Testing

/// Random histories of people with two accounts each, and a model of what they decided.
@Suite("Decisions and a model of them") struct DecisionModelTests {
  /// A history that found a fault once, and how many kinds of steps there were then.
  private struct Found {
    let seed: UInt64
    var kinds = DecisionHistory.kinds
  }

  private static let found = [
    // A no that was said again was older than a yes of the account that was merged into the person's later.
    Found(seed: 625, kinds: 18),
    // After a record was voided, one on paper that had never counted did, and an older one as well.
    Found(seed: 1_003_745),
    // A withdrawal of all, after a no to one purpose, left a yes to that one under another account.
    Found(seed: 1190),
  ]
  /// So many histories share a tenant, whose lists grow with them, and so many tenants an installation.
  private static let perTenant = 10
  private static let perInstallation = 50

  @Test("every view follows the newest decisions", arguments: TestEngine.allCases)
  func histories(engine: TestEngine) async throws {
    let asked = Self.asked(of: engine)
    for installation in Self.parts(asked, of: Self.perTenant * Self.perInstallation) {
      try await run(Self.parts(installation, of: Self.perTenant), on: engine)
    }
  }

  private static func parts(_ histories: [Found], of size: Int) -> [[Found]] {
    stride(from: 0, to: histories.count, by: size).map { Array(histories[$0..<min($0 + size, histories.count)]) }
  }

  /// The histories to try: as many as ASSENT_TEST_HISTORIES says, and a tenth on PostgreSQL, from the seed
  /// ASSENT_TEST_SEED on, for a night; few of them are watched wholly.
  private static func asked(of engine: TestEngine) -> [Found] {
    if let count = number("ASSENT_TEST_HISTORIES") {
      let first = number("ASSENT_TEST_SEED") ?? 0
      return (first..<first + (engine == .sqlite ? count : count / 10)).map { Found(seed: $0) }
    }
    return (0..<(LongTests.areWanted ? 400 : engine == .sqlite ? 8 : 2)).map { Found(seed: $0) } + found
  }

  private static func number(_ name: String) -> UInt64? { Environment.current[name].flatMap { UInt64($0) } }

  private func run(_ tenants: [[Found]], on engine: TestEngine) async throws {
    var world = try await World(engine)
    world.door = world.bus.channel()
    for (number, histories) in tenants.enumerated() {
      var own = world
      own.tenant = "t\(number + 1)"
      var tenant = DecisionTenant(try await DecisionWorld(in: own))
      for found in histories {
        var history = try await DecisionHistory(
          found.seed, in: &tenant, kinds: found.kinds, isWatchedWholly: Self.isWatchedWholly(found))
        do {
          try await history.run(in: &tenant)
        } catch {
          Issue.record("\(history.story): \(error)")
          // What is due there by now is not known.
          break
        }
      }
    }
    await world.end()
    if Self.isNight, let first = tenants.first?.first, let last = tenants.last?.last {
      print("seeds \(first.seed) to \(last.seed) on \(engine) have been tried")
    }
  }

  private static var isNight: Bool { number("ASSENT_TEST_HISTORIES") != nil }

  /// In a night's run, every hundredth history.
  private static func isWatchedWholly(_ history: Found) -> Bool { !isNight || history.seed % 100 == 0 }
}
