internal import Base
internal import Synchronization

/// What the check that a service runs by itself found wrong, by tenant. A finding is an event, so that all processes of
/// the service know of it, also those that start later.
final class Findings: Sendable {
  /// What is wrong with a tenant's data at present.
  struct Found: Hashable, Sendable {
    var problems: [String] = []
    /// The streams of the events that the problems concern. Nothing is answered about what these are about.
    var streams: Set<String> = []
  }

  private let found = Mutex<[String: Found]>([:])

  subscript(tenant: Tenant) -> Found { found.withLock { $0[tenant.id] ?? Found() } }

  /// How many problems are known, in all tenants together.
  var count: Int { found.withLock { $0.values.reduce(0) { $0 + $1.problems.count } } }

  func set(_ new: Found, of tenant: Tenant) { found.withLock { $0[tenant.id] = new.problems.isEmpty ? nil : new } }
}

extension Findings.Found {
  /// So many problems are listed in an event. Very many rows may be wrong, and the first ones are enough to act on.
  private static let mostProblems = 20
  private static let mostStreams = 1000

  init(_ problems: [LogProblem]) {
    self.problems = problems.prefix(Self.mostProblems).map(\.text)
    streams = Set(problems.lazy.compactMap(\.stream).prefix(Self.mostStreams))
  }

  /// The payload of the event that tells of the findings, JSON. Findings name rows by their keys and no person.
  var payload: [UInt8] {
    func list(_ texts: [String]) -> EvidenceJSON { .list(texts.map { .text($0) }) }
    let members: EvidenceJSON = .object(["problems": list(problems), "streams": list(streams.sorted())])
    return Array(members.written.utf8)
  }

  init(payload: [UInt8]) throws(EvidenceProblem) {
    let members = try EvidenceMembers(try EvidenceJSON(reading: payload), at: "the finding")
    problems = try members.texts("problems")
    streams = Set(try members.texts("streams"))
  }
}

extension EvidenceMembers {
  fileprivate func texts(_ name: String) throws(EvidenceProblem) -> [String] {
    try list(name).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}

/// The event that tells what a pass of the check found; with empty lists once all is well again.
public enum FindingEvent {
  public static let type = "storage.findings"
  static let stream = "storage.findings"

  /// How many problems an event tells of, of the first ones that are listed; nil for an event of another type.
  public static func problems(in event: Event) -> Int? {
    guard event.type == type else { return nil }
    return (try? Findings.Found(payload: event.payload))?.problems.count
  }
}

extension Snapshot {
  /// What the check has found wrong with the tenant's data, as far as this process knows; empty if all is well.
  public var findings: [String] { context.findings[tenant].problems }

  /// Throws `.corrupt` if the check has found that something about a stream's subject was altered or removed, so that
  /// nothing is answered about it.
  public func requireIntact(_ stream: String) throws(DatabaseError) {
    let found = context.findings[tenant]
    guard found.streams.contains(stream) else { return }
    throw DatabaseError(
      .corrupt, "tenant '\(tenant)': the check of the data found something wrong with what '\(stream)' is about")
  }

  /// What the newest event about findings says. Throws if the end of the log was altered or removed: then that event
  /// need not be the newest one.
  func storedFindings() throws(DatabaseError) -> Findings.Found {
    try verifySeen()
    guard let row = try first(FindingStatements.newest, FindingEvent.stream) else { return Findings.Found() }
    let payload = try event(in: row).payload
    return (try? Findings.Found(payload: payload)) ?? Findings.Found()
  }
}

enum FindingStatements {
  static let newest = Statement(
    own: "storage.findings.newest",
    "SELECT \(EventStatements.columns) FROM storage_events WHERE tenant = {tenant} AND stream = ? "
      + "ORDER BY sequence DESC LIMIT 1")
}
