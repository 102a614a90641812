internal import Base
internal import Storage

/// A try of a job for a copy. Its number is part of the job's payload, so that pauses grow with each try, also over
/// restarts.
struct CopyAttempt {
  let name: CopyName
  let number: Int
  /// How many tries ended because the process that made the document was lost.
  let losses: Int
  /// When the try begins by itself. It begins earlier when a service that it waits for arrives.
  private let due: Instant?

  /// After so many lost tries a copy is given up.
  static let mostLosses = 3
  /// The highest number of a try; later tries keep it.
  private static let mostTries = 100

  init(_ name: CopyName) {
    self.init(name, number: 1, losses: 0, due: nil)
  }

  private init(_ name: CopyName, number: Int, losses: Int, due: Instant?) {
    (self.name, self.number, self.losses, self.due) = (name, number, losses, due)
  }

  init?(_ payload: [UInt8]) {
    let parts = String(decoding: payload, as: UTF8.self).split(separator: " ")
    // The first try has no time, and says so by leaving it out.
    guard (2...4).contains(parts.count), let number = Int(parts[1]) else { return nil }
    let due = parts.count > 2 ? Int64(parts[2]).map { Instant(millisecondsSince1970: $0) } : nil
    let losses = parts.count > 3 ? Int(parts[3]) ?? 0 : 0
    self.init(
      CopyName(reading: parts[0]), number: min(max(number, 1), Self.mostTries),
      losses: min(max(losses, 0), Self.mostLosses), due: due)
  }

  var payload: [UInt8] {
    let due = due.map { " \($0.millisecondsSince1970)" } ?? ""
    return Array("\(name) \(number)\(due)\(losses > 0 ? " \(losses)" : "")".utf8)
  }

  /// The same try after its document was made: earlier losses do not count any more.
  var afterMaking: CopyAttempt { CopyAttempt(name, number: number, losses: 0, due: due) }

  /// One more try for a copy that was given up.
  static func once(more name: CopyName) -> CopyAttempt {
    CopyAttempt(name, number: 1, losses: mostLosses - 1, due: Instant(millisecondsSince1970: 0))
  }

  /// The pause after this try. It doubles with each try, from a second to five minutes: what is missing may come at any
  /// time.
  var pause: Duration { pause(atMost: .seconds(300)) }

  /// Whether it was tried so often that further tries are left to reminders, which are days apart.
  var wasOften: Bool { number > 12 }

  func pause(atMost longest: Duration) -> Duration { min(.seconds(1 << min(number - 1, 20)), longest) }

  /// Queues the next try.
  ///
  /// A try that began before its time is not counted: a service that comes and goes would soon use up all tries.
  func again(_ kind: String, atMost longest: Duration = .seconds(300), _ transaction: Transaction) throws {
    let cameEarly = due.map { transaction.now < $0 } ?? false
    let number = cameEarly ? number : min(number + 1, Self.mostTries)
    let next = CopyAttempt(name, number: number, losses: losses, due: nil)
    try next.begin(kind, after: next.pause(atMost: longest), transaction)
  }

  /// Queues another try for a document whose process was lost, each document at a time of its own: one that did not
  /// cause the loss, but was in the same process, then succeeds and is not lost again together with the one that did.
  func afterLoss(_ kind: String, _ transaction: Transaction) throws {
    let next = CopyAttempt(name, number: number, losses: losses + 1, due: nil)
    let spread = Digest(of: Array("\(name) \(next.losses)".utf8)).bytes[0]
    let pause = Duration.seconds(10) + .milliseconds(Int(spread) * 80)
    try next.begin(kind, after: pause * (1 << min(losses, 8)), transaction)
  }

  /// Queues the same try after a pause.
  func begin(_ kind: String, after pause: Duration, _ transaction: Transaction) throws {
    let next = CopyAttempt(name, number: number, losses: losses, due: transaction.now + pause)
    try transaction.enqueue(kind, next.payload, after: pause)
  }
}
