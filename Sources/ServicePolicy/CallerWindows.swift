internal import Base
package import CommonContract
internal import Wire

/// An entry to write, and what it is among others like it.
package struct DueEntry {
  enum Role {
    /// Others within a minute after it are repeats.
    case first
    /// It stands for repeats, with their number.
    case count
    /// One of more than are told apart.
    case alone
  }

  package let entry: AccessEntry
  let role: Role

  init(_ entry: AccessEntry, _ role: Role) {
    self.entry = entry
    self.role = role
  }
}

/// What one caller has tried in vain within the last minute, or has looked at.
struct CallerWindows {
  /// So many denied attempts are events in a minute.
  static let mostAttempts = 32
  /// So many things may be looked at again in a minute without an event for each look. It only bounds memory.
  static let mostLooks = 256
  static let severalThings = "several things"

  private struct Window {
    /// When a repeat is no repeat any more; nil until the first event is durable.
    var end: MonotonicTime?
    /// How many events there are, with those that are being written.
    var events = 0
    var repeats: Int32 = 0
  }

  private var windows: [MessageKey<AccessEntry>: Window] = [:]

  var isEmpty: Bool { windows.isEmpty }

  /// What to write now of an entry. One that comes while the first like it is being written is an event as well: that
  /// one may yet fail.
  mutating func take(_ entry: AccessEntry, at now: MonotonicTime) -> [DueEntry] {
    let key = MessageKey(entry)
    if let end = windows[key]?.end, now < end {
      addRepeats(1, to: key)
      return []
    }
    let isAttempt = entry.kind == .denied
    let counted = takeCount(of: key, at: now)
    let used = windows.values.reduce(0) { $0 + max(1, $1.events) }
    if used < (isAttempt ? Self.mostAttempts : Self.mostLooks) { return counted + [begin(key)] }
    guard isAttempt else { return counted + [DueEntry(entry, .alone)] }
    let rest = MessageKey(
      AccessEntry(kind: entry.kind, actor: entry.actor, callerKind: entry.callerKind, item: Self.severalThings))
    let restCounted = counted + takeCount(of: rest, at: now)
    guard windows[rest] == nil else {
      addRepeats(1, to: rest)
      return restCounted
    }
    return restCounted + [begin(rest)]
  }

  private mutating func begin(_ key: MessageKey<AccessEntry>) -> DueEntry {
    windows[key, default: Window()].events += 1
    return DueEntry(key.message, .first)
  }

  private mutating func addRepeats(_ count: Int32, to key: MessageKey<AccessEntry>) {
    guard let repeats = windows[key]?.repeats else { return }
    windows[key]?.repeats = Int32(clamping: Int64(repeats) + Int64(count))
  }

  /// An entry is durable: from now on others like it are repeats.
  mutating func confirm(_ due: DueEntry, until end: MonotonicTime) {
    guard due.role == .first else { return }
    let key = MessageKey(due.entry)
    if windows[key]?.end == nil { windows[key]?.end = end }
  }

  /// An entry could not be written. Whoever looked was shown nothing; whoever tried was refused all the same, and is
  /// written down with the counts.
  mutating func giveBack(_ due: DueEntry, at now: MonotonicTime) {
    var entry = due.entry
    switch due.role {
    case .alone: return
    case .count:
      entry.count = 0
      let key = MessageKey(entry)
      if windows[key] == nil { windows[key] = Window(end: now) }
      addRepeats(due.entry.count, to: key)
    case .first:
      let key = MessageKey(entry)
      windows[key]?.events -= 1
      if entry.kind == .denied { addRepeats(1, to: key) }
      guard let window = windows[key], window.events == 0, window.end == nil else { return }
      windows[key] = window.repeats == 0 ? nil : Window(end: now, repeats: window.repeats)
    }
  }

  /// Counts whose minute is over by then.
  mutating func takeCounts(at time: MonotonicTime) -> [DueEntry] {
    windows.keys.flatMap { takeCount(of: $0, at: time) }
  }

  /// Forgets a window whose minute is over. Its count, if there is one, is to be written.
  private mutating func takeCount(of key: MessageKey<AccessEntry>, at time: MonotonicTime) -> [DueEntry] {
    guard let window = windows[key], let end = window.end, end <= time else { return [] }
    windows[key] = nil
    guard window.repeats > 0 else { return [] }
    var counted = key.message
    counted.count = window.repeats
    return [DueEntry(counted, .count)]
  }
}
