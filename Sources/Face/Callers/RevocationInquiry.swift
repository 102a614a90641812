internal import Base

/// When AccountService is asked whether anything was revoked: only while credentials are used, so that a gateway at
/// rest hardly ever asks.
///
/// A use asks when the last answer is not quite fresh, and goes on with what is known. When the answer is too old to go
/// on with, the use waits for the next one.
struct RevocationInquiry {
  /// An answer to a question that is younger suffices for a use.
  static let freshFor = Duration.milliseconds(250)
  /// A use waits for a new answer when the last one answers a question that is older. This is a little less than
  /// `trustedFor`, so that a call that did not wait is not refused a moment later.
  static let goodFor = Duration.milliseconds(900)
  /// An answer to a question that is older proves nothing: it is unknown then what was revoked, and uses are refused.
  static let trustedFor = Duration.seconds(1)
  /// For how long a use waits.
  static let longestWait = Duration.seconds(1)
  /// A stream that says nothing for so long while a question is open is given up: its process stands still.
  static let silenceLimit = Duration.seconds(2)
  /// One that has said nothing at all yet has longer, since it may wait for a process that serves it, or for the first
  /// look. It is given up as well: it may be at a process that stands still, while another one would answer.
  static let beginningLimit = Duration.seconds(30)
  /// Without uses it is asked so often, to notice a process that stands still: it also tells which tenants are
  /// disabled, and that concerns callers whose credentials are not AccountService's.
  static let idleInterval = Duration.seconds(5)

  /// What the owner of the stream has to do.
  enum Step: Equatable {
    /// Send a question with this number.
    case ask(Int64)
    case wait(until: MonotonicTime)
    /// Nothing: there is no stream.
    case waitForStream
    case giveUp
  }

  private enum Stream {
    /// There is none. The last one that said something ended then.
    case closed(since: MonotonicTime?)
    /// It was begun, and has said nothing yet.
    case begun(lastEnd: MonotonicTime?)
    /// It said something last at that time.
    case running(lastSign: MonotonicTime)
  }

  private struct Question {
    let number: Int64
    let askedAt: MonotonicTime
  }

  private var stream = Stream.closed(since: nil)
  private var openQuestion: Question?
  private var lastNumber: Int64 = 0
  /// As of when all is known that was revoked.
  private var knownAt: MonotonicTime?
  /// Since when a use has wanted to know more.
  private var wantedSince: MonotonicTime?

  // MARK: Uses

  /// A credential is used; returns whether a question is to be asked for it now.
  mutating func use(at now: MonotonicTime) -> Bool {
    guard wantedSince == nil, isOlder(than: Self.freshFor, at: now) else { return false }
    wantedSince = now
    guard case .running = stream else { return false }
    return openQuestion == nil
  }

  /// Whether it is known, recently enough, what was revoked.
  func isKnown(at now: MonotonicTime) -> Bool { !isOlder(than: Self.trustedFor, at: now) }

  private func isOlder(than age: Duration, at now: MonotonicTime) -> Bool { knownAt.map { now - $0 > age } ?? true }

  /// Whether a use should wait, because what it needs to know will soon be known.
  func isUnderWay(at now: MonotonicTime) -> Bool {
    guard let wantedSince, now - wantedSince < Self.longestWait else { return false }
    return wouldWait(at: now)
  }

  /// Whether a use would wait: what is known is too old to admit anybody by, and more can be asked for.
  func wouldWait(at now: MonotonicTime) -> Bool {
    guard isOlder(than: Self.goodFor, at: now) else { return false }
    switch stream {
    case .running: return true
    // Another one may be there soon.
    case .closed(let end), .begun(let end): return end.map { now - $0 < Self.longestWait } ?? false
    }
  }

  // MARK: The stream

  mutating func begin() {
    if case .closed(let end) = stream { stream = .begun(lastEnd: end) }
  }

  /// A message came.
  mutating func noteMessage(at now: MonotonicTime) {
    if case .begun = stream { waitAnew(at: now) }
    stream = .running(lastSign: now)
  }

  /// Whoever wants news waits from now on, since it is clear now that there will soon be some.
  private mutating func waitAnew(at now: MonotonicTime) {
    if wantedSince != nil { wantedSince = now }
  }

  /// A message that answers the questions up to this one was learned.
  mutating func noteAnswer(_ answered: Int64, at now: MonotonicTime) {
    guard let question = openQuestion, answered >= question.number else { return }
    knownAt = question.askedAt
    openQuestion = nil
    // The answer may be too old already, where the stream had waited for its process. Then it is asked again.
    if !isOlder(than: Self.goodFor, at: now) { wantedSince = nil }
  }

  /// The stream has ended.
  ///
  /// - Parameter isLast: no other one follows.
  mutating func close(isLast: Bool, at now: MonotonicTime) {
    openQuestion = nil
    switch stream {
    case _ where isLast: stream = .closed(since: nil)
    case .running:
      waitAnew(at: now)
      stream = .closed(since: now)
    case .begun(let end), .closed(let end): stream = .closed(since: end)
    }
  }

  mutating func step(at now: MonotonicTime) -> Step {
    switch stream {
    case .closed: return .waitForStream
    case .begun:
      guard let openQuestion else { return ask(at: now) }
      let end = openQuestion.askedAt + Self.beginningLimit
      return now < end ? .wait(until: end) : .giveUp
    case .running(let lastSign):
      if let openQuestion {
        let since = max(openQuestion.askedAt, lastSign)
        return now - since < Self.silenceLimit ? .wait(until: since + Self.silenceLimit) : .giveUp
      }
      guard wantedSince == nil, let knownAt, now - knownAt < Self.idleInterval else { return ask(at: now) }
      return .wait(until: knownAt + Self.idleInterval)
    }
  }

  private mutating func ask(at now: MonotonicTime) -> Step {
    lastNumber += 1
    openQuestion = Question(number: lastNumber, askedAt: now)
    return .ask(lastNumber)
  }
}
