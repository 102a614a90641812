package import Base
package import CommonContract
package import Storage
internal import Synchronization

/// Bounds the events that attempts and looks make when they are repeated: of the same kind there is one event at once,
/// and for all that follow within a minute one more, with their number. Only what is durable makes others repeats of
/// it.
///
/// Callers make up what they try, so of denied attempts each caller has a bounded number of events in a minute; what is
/// beyond is counted together, by caller, and beyond a number of callers of a tenant together at all. A look was
/// admitted and has shown something: what is beyond is an event of its own.
package final class AccessWindows: Sendable {
  /// In a tenant.
  static let mostCallers = 1024

  private struct CallerKey: Hashable {
    let kind: String
    let actor: String
  }

  private typealias Callers = [CallerKey: CallerWindows]

  /// Of one tenant: none counts against another one's bound.
  private struct TenantWindows {
    var attempts: Callers = [:]
    var looks: Callers = [:]

    var isEmpty: Bool { attempts.isEmpty && looks.isEmpty }

    static func part(of entry: AccessEntry) -> WritableKeyPath<TenantWindows, Callers> {
      entry.kind == .denied ? \.attempts : \.looks
    }
  }

  private let length: Duration
  private let state = Mutex<[Tenant: TenantWindows]>([:])

  package init(length: Duration) {
    self.length = length
  }

  /// What to write now: the entries that are not repeats, and counts of theirs whose minute is over. What came of it is
  /// told to `confirm` or `giveBack`.
  package func take(_ entries: [AccessEntry], in tenant: Tenant, at now: MonotonicTime) -> [DueEntry] {
    state.withLock { state in
      entries.flatMap { entry in
        Self.take(
          entry, from: &state[tenant, default: TenantWindows()][keyPath: TenantWindows.part(of: entry)], at: now)
      }
    }
  }

  private static func take(_ entry: AccessEntry, from callers: inout Callers, at now: MonotonicTime) -> [DueEntry] {
    let key = CallerKey(kind: entry.callerKind, actor: entry.actor)
    if callers[key] != nil || callers.count < mostCallers {
      return callers[key, default: CallerWindows()].take(entry, at: now)
    }
    guard entry.kind == .denied else { return [DueEntry(entry, .alone)] }
    let others = AccessEntry(kind: .denied, actor: "several callers", item: CallerWindows.severalThings)
    return callers[CallerKey(kind: "", actor: others.actor), default: CallerWindows()].take(others, at: now)
  }

  /// What was taken is durable.
  package func confirm(_ due: [DueEntry], in tenant: Tenant, at now: MonotonicTime) {
    change(due, in: tenant) { $0.confirm($1, until: now + length) }
  }

  /// What was taken could not be written. It is as if it had not come, but counts and attempts are written later.
  func giveBack(_ due: [DueEntry], in tenant: Tenant, at now: MonotonicTime) {
    change(due, in: tenant) { $0.giveBack($1, at: now) }
  }

  private func change(_ due: [DueEntry], in tenant: Tenant, _ body: (inout CallerWindows, DueEntry) -> Void) {
    state.withLock { state in
      for due in due where due.role != .alone {
        let part = TenantWindows.part(of: due.entry)
        let key = CallerKey(kind: due.entry.callerKind, actor: due.entry.actor)
        body(&state[tenant, default: TenantWindows()][keyPath: part][key, default: CallerWindows()], due)
      }
    }
  }

  /// Counts whose minute is over by then, which are forgotten here.
  package func takeCounts(in tenant: Tenant, at time: MonotonicTime) -> [DueEntry] {
    state.withLock { state in
      guard var windows = state[tenant] else { return [] }
      var counts: [DueEntry] = []
      for part in [\TenantWindows.attempts, \TenantWindows.looks] {
        for key in windows[keyPath: part].keys {
          guard var caller = windows[keyPath: part][key] else { continue }
          counts += caller.takeCounts(at: time)
          windows[keyPath: part][key] = caller.isEmpty ? nil : caller
        }
      }
      state[tenant] = windows.isEmpty ? nil : windows
      return counts
    }
  }

  func areEmpty(in tenant: Tenant) -> Bool { state.withLock { $0[tenant] == nil } }

  /// Those in which anything was looked at or tried lately.
  var tenants: [Tenant] { state.withLock { Array($0.keys) } }
}
