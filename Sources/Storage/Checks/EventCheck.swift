internal import Base

/// Something that is wrong with a log, in words that do not name its tenant.
struct LogProblem: Error, Hashable {
  let text: String
  /// The stream of the event that it concerns, if it concerns one.
  var stream: String? = nil
}

/// Checks one tenant's events, which are passed in their order: that the log has every number from 1 to the head's,
/// that each hash follows from its predecessor's, and that the codes of events and head are the service's.
struct EventCheck: Sendable {
  private let tenant: Tenant
  private var codes: CodeCheck
  private var expected: Int64 = 0
  private var chain = Event.beginning
  private var at = Instant(millisecondsSince1970: .min)

  /// - Parameter opensKeys: whether the master key is known, without which codes cannot be verified.
  init(of tenant: Tenant, opensKeys: Bool) {
    self.tenant = tenant
    codes = CodeCheck(of: tenant, opensKeys: opensKeys)
  }

  mutating func begin(_ snapshot: Snapshot) throws(DatabaseError) { try codes.begin(snapshot) }

  /// The next event, and what is wrong with its place in the log.
  mutating func next(_ row: Row) throws(DatabaseError) -> (event: Event, problems: [String]) {
    let event = try Event(unverified: row)
    var problems: [String] = []
    try codes.note(event, row)
    expected += 1
    if event.sequence != expected {
      problems.append("event \(event.sequence) stands where \(expected) belongs")
      expected = event.sequence
    }
    if event.chain(after: chain, of: tenant) != event.chain {
      problems.append("the hash of event \(event.sequence) does not match")
    }
    if event.at < at { problems.append("event \(event.sequence) is older than its predecessor") }
    (chain, at) = (event.chain, event.at)
    return (event, problems)
  }

  /// The end of the log according to its head, which is nil if it has none, and what is wrong with it. To be called
  /// after the last event.
  mutating func end(_ snapshot: Snapshot) throws(DatabaseError) -> (end: LogEnd?, problems: [String]) {
    guard let head = try snapshot.first(EventStatements.headForChecking) else {
      return (nil, expected > 0 ? ["events without a head"] : [])
    }
    try codes.note(end: head)
    let end = try LogEnd(unverified: head)
    let isLast = end.last == expected && end.chain == chain && (expected <= 0 || end.at == at)
    return (end, isLast ? [] : ["the log's head does not match its last event, \(expected)"])
  }

  /// What is wrong with the codes that were passed so far.
  var codeProblems: [String] { codes.problems }
}
