internal import Base
internal import CommonContract
internal import Storage
internal import Synchronization
internal import Wire

/// Bounds the events that attempts and looks make when they are repeated: of the same kind there is one event at once,
/// and for all that follow within a minute one more, with their number.
///
/// Callers make up what they ask for, so each has a bounded number of kinds in a minute. What is beyond is counted
/// together, by caller, and beyond a number of callers together at all.
final class AccessWindows: Sendable {
  static let mostKinds = 32
  static let mostCallers = 1024

  private struct CallerKey: Hashable {
    let tenant: String
    let kind: String
    let actor: String
  }

  private struct Window {
    let end: MonotonicTime
    /// How many came after the first.
    var repeats: Int32 = 0
  }

  private let length: Duration
  private let callers = Mutex<[CallerKey: [MessageKey<AccessEntry>: Window]]>([:])

  init(length: Duration) {
    self.length = length
  }

  /// What to write now: the entry, unless it is a repeat that is counted; and counts whose minute is over.
  func take(_ entry: AccessEntry, in tenant: Tenant, at now: MonotonicTime) -> [AccessEntry] {
    callers.withLock { callers in
      var due = Self.due(&callers, in: tenant, at: now)
      var key = CallerKey(tenant: tenant.id, kind: entry.callerKind, actor: entry.actor)
      var entry = entry
      if callers[key] == nil, callers.count >= Self.mostCallers {
        key = CallerKey(tenant: tenant.id, kind: "", actor: "several callers")
        entry = AccessEntry(kind: entry.kind, actor: key.actor, item: "several things")
      } else if callers[key]?[MessageKey(entry)] == nil, callers[key]?.count ?? 0 >= Self.mostKinds {
        entry = AccessEntry(
          kind: entry.kind, actor: entry.actor, callerKind: entry.callerKind, item: "several things")
      }
      let item = MessageKey(entry)
      if callers[key]?[item] != nil {
        callers[key]?[item]?.repeats += 1
      } else {
        callers[key, default: [:]][item] = Window(end: now + length)
        due.append(entry)
      }
      return due
    }
  }

  /// Counts whose minute is over, and forgets them.
  func due(in tenant: Tenant, at now: MonotonicTime) -> [AccessEntry] {
    callers.withLock { Self.due(&$0, in: tenant, at: now) }
  }

  private static func due(
    _ callers: inout [CallerKey: [MessageKey<AccessEntry>: Window]], in tenant: Tenant, at now: MonotonicTime
  ) -> [AccessEntry] {
    var due: [AccessEntry] = []
    for (key, windows) in callers where key.tenant == tenant.id {
      for (entry, window) in windows where window.end <= now {
        callers[key]?[entry] = nil
        guard window.repeats > 0 else { continue }
        var counted = entry.message
        counted.count = window.repeats
        due.append(counted)
      }
      if callers[key]?.isEmpty == true { callers[key] = nil }
    }
    return due
  }
}
