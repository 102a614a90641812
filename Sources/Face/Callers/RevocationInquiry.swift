internal import Base

/// Decides when to ask AccountService whether anything was revoked: mostly when credentials are used, so that an idle
/// gateway hardly ever asks.
///
/// When a credential is used and the last answer is not quite fresh, a question is sent and the use relies on that
/// answer meanwhile. When the answer is too old to rely on, the use waits for the next one.
struct RevocationInquiry {
  /// A use is satisfied with an answer whose question is younger than this.
  static let freshFor = Duration.milliseconds(250)
  /// A use waits for a new answer when the question of the last one is older than this. It is a little less than
  /// `trustedFor`, so that a call that did not wait is not refused a moment later.
  static let goodFor = Duration.milliseconds(900)
  /// An answer whose question is older than this proves nothing: it is unknown then what was revoked, and uses are
  /// refused.
  static let trustedFor = Duration.seconds(1)
  /// How long a use waits.
  static let longestWait = Duration.seconds(1)
  /// A stream that says nothing for this long while a question is open is given up: its process has stopped working.
  static let silenceLimit = Duration.seconds(2)
  /// A stream that has said nothing at all yet is given more time, since it may have to wait for a process that serves
  /// it, or for that process's first look. It is given up in the end, because its process may have stopped working
  /// while another one would answer.
  static let beginningLimit = Duration.seconds(30)
  /// How often a question is sent without any use, to notice a process that has stopped working. The answers also tell
  /// which tenants are disabled, which concerns callers with credentials that are not AccountService's.
  static let idleInterval = Duration.seconds(10)

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
    /// There is no stream. `since` is when the last one that had said something ended.
    case closed(since: MonotonicTime?)
    /// The stream was opened and has said nothing yet.
    case begun(lastEnd: MonotonicTime?)
    /// When the stream last said something.
    case running(lastSign: MonotonicTime)
  }

  private struct Question {
    let number: Int64
    let askedAt: MonotonicTime
  }

  private var stream = Stream.closed(since: nil)
  private var openQuestion: Question?
  private var lastNumber: Int64 = 0
  /// The time as of which all revocations are known.
  private var knownAt: MonotonicTime?
  /// Since when a use has needed newer knowledge.
  private var wantedSince: MonotonicTime?

  // MARK: Uses

  /// Notes that a credential is used; returns whether a question should be sent for it now.
  mutating func use(at now: MonotonicTime) -> Bool {
    guard wantedSince == nil, isOlder(than: Self.freshFor, at: now) else { return false }
    wantedSince = now
    guard case .running = stream else { return false }
    return openQuestion == nil
  }

  /// Whether it is known, recently enough, what was revoked.
  func isKnown(at now: MonotonicTime) -> Bool { !isOlder(than: Self.trustedFor, at: now) }

  private func isOlder(than age: Duration, at now: MonotonicTime) -> Bool { knownAt.map { now - $0 > age } ?? true }

  /// Whether a use should wait, because the answer that it needs will probably arrive soon.
  func isUnderWay(at now: MonotonicTime) -> Bool {
    guard let wantedSince, now - wantedSince < Self.longestWait else { return false }
    return wouldWait(at: now)
  }

  /// Whether a use would wait: what is known is too old to rely on, and a newer answer can be expected.
  func wouldWait(at now: MonotonicTime) -> Bool {
    guard isOlder(than: Self.goodFor, at: now) else { return false }
    switch stream {
    case .running: return true
    // The next stream may be running soon.
    case .closed(let end), .begun(let end): return end.map { now - $0 < Self.longestWait } ?? false
    }
  }

  // MARK: The stream

  mutating func begin() {
    if case .closed(let end) = stream { stream = .begun(lastEnd: end) }
  }

  /// A message of the stream has arrived.
  mutating func noteMessage(at now: MonotonicTime) {
    if case .begun = stream { waitAnew(at: now) }
    stream = .running(lastSign: now)
  }

  /// Restarts the waits of uses, since an answer can be expected now.
  private mutating func waitAnew(at now: MonotonicTime) {
    if wantedSince != nil { wantedSince = now }
  }

  /// Everything in a message that answers the questions up to this number has been taken in.
  mutating func noteAnswer(_ answered: Int64, at now: MonotonicTime) {
    guard let question = openQuestion, answered >= question.number else { return }
    knownAt = question.askedAt
    openQuestion = nil
    // The answer may be too old already, if the stream had to wait for its process. Then the question is repeated.
    if !isOlder(than: Self.goodFor, at: now) { wantedSince = nil }
  }

  /// The stream has ended.
  ///
  /// - Parameter isLast: no other stream follows.
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
