internal import Base
package import CommonContract
internal import Wire

/// An entry to write, with its role among entries of the same content.
package struct DueEntry {
  enum Role {
    /// The first of its kind: the same entry within a minute after it is a repeat.
    case first
    /// Stands for all repeats within a minute, with their number.
    case count
    /// Beyond the number of windows that are kept. Written on its own, without counting repeats.
    case alone
  }

  package let entry: TrailEntry
  let role: Role

  init(_ entry: TrailEntry, _ role: Role) {
    self.entry = entry
    self.role = role
  }
}

/// The denied attempts, or the looks, of one caller within the last minute.
struct CallerWindows {
  /// How many denied attempts of a caller are written as single events in a minute.
  static let mostAttempts = 32
  /// For how many things the repeated looks of a caller are counted; beyond that each look is an event. The bound only
  /// limits memory.
  static let mostReadings = 256
  static let severalThings = "several things"

  private struct Window {
    /// When the window ends, after which the same entry is a first one again. nil until the first event is durable.
    var end: MonotonicTime?
    /// How many events that are no repeats were written or are being written: more than one if the same entry came
    /// again before the first was durable.
    var events = 0
    var repeats: Int32 = 0
  }

  private var windows: [MessageKey<TrailEntry>: Window] = [:]

  var isEmpty: Bool { windows.isEmpty }

  /// Returns what to write now for an entry: the entry itself unless it is a repeat, and counts that are due. The same
  /// entry that arrives while the first one is still being written is no repeat yet, since that write may fail.
  mutating func take(_ entry: TrailEntry, at now: MonotonicTime) -> [DueEntry] {
    let key = MessageKey(entry)
    if let end = windows[key]?.end, now < end {
      addRepeats(1, to: key)
      return []
    }
    let isAttempt = entry.kind == .denied
    let counted = takeCount(of: key, at: now)
    let used = windows.values.reduce(0) { $0 + max(1, $1.events) }
    if used < (isAttempt ? Self.mostAttempts : Self.mostReadings) { return counted + [begin(key)] }
    guard isAttempt else { return counted + [DueEntry(entry, .alone)] }
    let rest = MessageKey(
      TrailEntry(kind: entry.kind, actor: entry.actor, callerKind: entry.callerKind, item: Self.severalThings))
    let restCounted = counted + takeCount(of: rest, at: now)
    guard windows[rest] == nil else {
      addRepeats(1, to: rest)
      return restCounted
    }
    return restCounted + [begin(rest)]
  }

  private mutating func begin(_ key: MessageKey<TrailEntry>) -> DueEntry {
    windows[key, default: Window()].events += 1
    return DueEntry(key.message, .first)
  }

  private mutating func addRepeats(_ count: Int32, to key: MessageKey<TrailEntry>) {
    guard let repeats = windows[key]?.repeats else { return }
    windows[key]?.repeats = Int32(clamping: Int64(repeats) + Int64(count))
  }

  /// Notes that an entry is durable. If it is a first one, the same entry is a repeat from now until `end`.
  mutating func confirm(_ due: DueEntry, until end: MonotonicTime) {
    guard due.role == .first else { return }
    let key = MessageKey(due.entry)
    if windows[key]?.end == nil { windows[key]?.end = end }
  }

  /// Notes that an entry could not be written. A look is dropped, since its call fails and shows nothing. A denied
  /// attempt was refused all the same, so it is written with the counts.
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

  /// Removes the windows whose minute is over at `time`, and returns their counts.
  mutating func takeCounts(at time: MonotonicTime) -> [DueEntry] {
    windows.keys.flatMap { takeCount(of: $0, at: time) }
  }

  /// Removes a window if its minute is over at `time`, and returns its count for writing if it had repeats.
  private mutating func takeCount(of key: MessageKey<TrailEntry>, at time: MonotonicTime) -> [DueEntry] {
    guard let window = windows[key], let end = window.end, end <= time else { return [] }
    windows[key] = nil
    guard window.repeats > 0 else { return [] }
    var counted = key.message
    counted.count = window.repeats
    return [DueEntry(counted, .count)]
  }
}
