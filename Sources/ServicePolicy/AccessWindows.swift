package import Base
package import CommonContract
package import Storage
internal import Synchronization

/// Bounds how many events repeated calls make. The first denied attempt or look of a kind is an event at once; all
/// repeats within a minute after it become one more event, with their number. Repeats are counted only once the first
/// event is durable.
///
/// Callers can invent any number of different attempts. So each caller has a bounded number of events for denied
/// attempts in a minute; further attempts are counted together for the caller, and those of further callers together
/// for the tenant. Looks were admitted to stored data, so callers cannot invent them: beyond the bounds each look is an
/// event of its own.
package final class AccessWindows: Sendable {
  /// How many callers of a tenant have windows of their own, for attempts and for looks each.
  static let mostCallers = 1024

  private struct CallerKey: Hashable {
    let kind: String
    let actor: String
  }

  private typealias Callers = [CallerKey: CallerWindows]

  /// The windows of one tenant. Each tenant has its own, so that one cannot use up the bounds of another.
  private struct TenantWindows {
    var attempts: Callers = [:]
    var looks: Callers = [:]

    var isEmpty: Bool { attempts.isEmpty && looks.isEmpty }

    static func part(of entry: TrailEntry) -> WritableKeyPath<TenantWindows, Callers> {
      entry.kind == .denied ? \.attempts : \.looks
    }
  }

  private let length: Duration
  private let state = Mutex<[Tenant: TenantWindows]>([:])

  package init(length: Duration) {
    self.length = length
  }

  /// Returns what to write now: the entries that are not repeats, and the counts of earlier repeats whose minute is
  /// over. The caller then calls `confirm`, or `giveBack` if the write failed.
  package func take(_ entries: [TrailEntry], in tenant: Tenant, at now: MonotonicTime) -> [DueEntry] {
    state.withLock { state in
      entries.flatMap { entry in
        Self.take(
          entry, from: &state[tenant, default: TenantWindows()][keyPath: TenantWindows.part(of: entry)], at: now)
      }
    }
  }

  private static func take(_ entry: TrailEntry, from callers: inout Callers, at now: MonotonicTime) -> [DueEntry] {
    let key = CallerKey(kind: entry.callerKind, actor: entry.actor)
    if callers[key] != nil || callers.count < mostCallers {
      return callers[key, default: CallerWindows()].take(entry, at: now)
    }
    guard entry.kind == .denied else { return [DueEntry(entry, .alone)] }
    let others = TrailEntry(kind: .denied, actor: "several callers", item: CallerWindows.severalThings)
    return callers[CallerKey(kind: "", actor: others.actor), default: CallerWindows()].take(others, at: now)
  }

  /// To be called when the entries that `take` or `takeCounts` returned are durable.
  package func confirm(_ due: [DueEntry], in tenant: Tenant, at now: MonotonicTime) {
    change(due, in: tenant) { $0.confirm($1, until: now + length) }
  }

  /// To be called when the entries that `take` or `takeCounts` returned could not be written. Looks are forgotten,
  /// since their calls fail; counts and denied attempts are written with later counts.
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

  /// Removes the windows whose minute is over at `time`, and returns the counts of their repeats.
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

  /// The tenants with an open window.
  var tenants: [Tenant] { state.withLock { Array($0.keys) } }
}
