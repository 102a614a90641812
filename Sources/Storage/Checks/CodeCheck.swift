internal import Base

/// Checks the authentication codes of one tenant's log, by which the service proves that it wrote each event and the
/// head that says where the log ends.
///
/// Without the master key only the presence of codes can be checked.
struct CodeCheck: Sendable {
  private let tenant: Tenant
  private let opensKeys: Bool
  /// The key of the log; nil if it is missing, does not open, or was not to be opened.
  private var key: LogKey?
  private var keyProblem: String?
  private var foreignEvents = 0
  private var firstForeign: Int64 = 0
  private var isEndForeign = false

  private static let byteCount = 32

  init(of tenant: Tenant, opensKeys: Bool) {
    (self.tenant, self.opensKeys) = (tenant, opensKeys)
  }

  mutating func begin(_ snapshot: Snapshot) throws(DatabaseError) {
    guard opensKeys else { return }
    do throws(DatabaseError) {
      key = try snapshot.logKeyIfMade()
    } catch {
      guard error.isDamage else { throw error }
      // The report names the tenant itself.
      keyProblem = String(error.message.trimmingPrefix("tenant '\(tenant)': "))
    }
  }

  mutating func note(_ event: Event, _ row: Row) throws(DatabaseError) {
    if try confirms(row, .event(event, of: tenant)) { return }
    if foreignEvents == 0 { firstForeign = event.sequence }
    foreignEvents += 1
  }

  mutating func note(end head: Row) throws(DatabaseError) {
    isEndForeign = try !confirms(head, .end(LogEnd(unverified: head), of: tenant))
  }

  private func confirms(_ row: Row, _ message: LogKey.Message) throws(DatabaseError) -> Bool {
    let code: [UInt8]? = try row.get("code")
    return opensKeys ? key?.confirms(code, of: message) == true : code?.count == Self.byteCount
  }

  /// The problems that were found. All events without a valid code share one line.
  var problems: [String] {
    if let keyProblem { return [keyProblem] }
    if opensKeys, key == nil { return foreignEvents > 0 || isEndForeign ? [LogKey.isGone] : [] }
    var problems: [String] = []
    let what = opensKeys ? "the code does not fit" : "there is no code"
    if foreignEvents == 1 {
      problems.append("event \(firstForeign) is not one that the service wrote: \(what)")
    } else if foreignEvents > 1 {
      problems.append(
        "\(foreignEvents) events are not ones that the service wrote, \(firstForeign) the first of them: \(what)")
    }
    if isEndForeign { problems.append("the head of its log is not one that the service wrote: \(what)") }
    return problems
  }
}
