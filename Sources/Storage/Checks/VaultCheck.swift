internal import Base

/// Checks, in steps, that what is sealed for a tenant opens: keys, items, openings of commitments, entries of the index
/// and answers that are kept for repeats; that nothing is left of erased subjects; and that the service queued each
/// job, as the job's code shows.
struct VaultCheck: Sendable {
  private var stage = Stage.keys
  private(set) var found = Found()

  struct Found: Sendable {
    var problems: [LogProblem] = []
    var subjects = 0
    var items = 0
    var commitments = 0
    var answers = 0
    var jobs = 0
  }

  private enum Stage {
    case keys
    case subjects(after: String)
    case answers(after: (caller: String, key: String))
    case jobs(after: String)
    case done
  }

  /// How many subjects one step opens, and how many answers or jobs it looks at.
  private static let subjectsAtOnce = 20
  private static let rowsAtOnce = 200

  var isDone: Bool { if case .done = stage { true } else { false } }

  mutating func step(_ snapshot: Snapshot) throws(DatabaseError) {
    switch stage {
    case .keys: try checkKeys(snapshot)
    case .subjects(let place): try checkSubjects(after: place, snapshot)
    case .answers(let place): try checkAnswers(after: place, snapshot)
    case .jobs(let place): try checkJobs(after: place, snapshot)
    case .done: break
    }
  }

  /// Notes a problem that may occur in many places, such as a key that does not open, only once.
  private mutating func note(_ problem: String, in snapshot: Snapshot) {
    let problem = LogProblem(text: String(problem.trimmingPrefix("tenant '\(snapshot.tenant)': ")))
    if !found.problems.contains(problem) { found.problems.append(problem) }
  }

  private mutating func checkKeys(_ snapshot: Snapshot) throws(DatabaseError) {
    for row in try snapshot.all(VaultCheckStatements.keys) {
      do throws(DatabaseError) {
        _ = try snapshot.unwrapTenantKey(row)
        if let problem = try snapshot.context.problemWithName(in: row) { note(problem, in: snapshot) }
      } catch {
        note(error.message, in: snapshot)
      }
    }
    stage = .subjects(after: "")
  }

  private mutating func checkSubjects(after place: String, _ snapshot: Snapshot) throws(DatabaseError) {
    let rows = try snapshot.all(VaultCheckStatements.subjects, place, Self.subjectsAtOnce)
    for row in rows {
      found.subjects += 1
      let name: String = try row.get("subject")
      stage = .subjects(after: name)
      guard let subject = Subject(name) else {
        note("'\(name)' names no subject", in: snapshot)
        continue
      }
      if try snapshot.vault.isErased(subject) {
        try checkErased(subject, snapshot)
      } else {
        try open(subject, snapshot)
      }
    }
    if rows.count < Self.subjectsAtOnce { stage = .answers(after: ("", "")) }
  }

  private mutating func checkErased(_ subject: Subject, _ snapshot: Snapshot) throws(DatabaseError) {
    var openings: [Row] = []
    for row in try snapshot.all(VaultStatements.commitments, subject.id)
    where try row.get("sealed", as: [UInt8]?.self) != nil {
      openings.append(row)
    }
    for (what, rows) in [
      ("items", try snapshot.all(VaultStatements.items, subject.id)),
      ("index entries", try snapshot.all(IndexStatements.ofSubject, subject.id)), ("openings", openings),
    ] where !rows.isEmpty {
      note("\(rows.count) \(what) of erased subject '\(subject)' are left", in: snapshot)
    }
  }

  private mutating func open(_ subject: Subject, _ snapshot: Snapshot) throws(DatabaseError) {
    do throws(DatabaseError) {
      found.items += try snapshot.vault.all(of: subject).count
      _ = try snapshot.vault.entries(of: subject)
      for commitment in try snapshot.all(VaultStatements.commitments, subject.id) {
        _ = try snapshot.vault.opening(of: try commitment.get("id"))
        found.commitments += 1
      }
    } catch {
      note(error.message, in: snapshot)
    }
  }

  private mutating func checkAnswers(
    after place: (caller: String, key: String), _ snapshot: Snapshot
  ) throws(DatabaseError) {
    let rows = try snapshot.all(VaultCheckStatements.answers, place.caller, place.key, Self.rowsAtOnce)
    for row in rows {
      found.answers += 1
      let (caller, key): (String, String) = (try row.get("caller"), try row.get("key"))
      stage = .answers(after: (caller, key))
      do throws(DatabaseError) {
        _ = try snapshot.openAnswer(row, caller: caller, key: key)
      } catch {
        note(error.message, in: snapshot)
      }
    }
    if rows.count < Self.rowsAtOnce { stage = .jobs(after: "") }
  }

  private mutating func checkJobs(after place: String, _ snapshot: Snapshot) throws(DatabaseError) {
    let key: LogKey?
    do throws(DatabaseError) {
      key = try snapshot.logKeyIfMade()
    } catch {
      // The check of the log tells of it.
      guard error.isDamage else { throw error }
      stage = .done
      return
    }
    let rows = try snapshot.all(VaultCheckStatements.jobs, place, Self.rowsAtOnce)
    for row in rows {
      found.jobs += 1
      let (id, kind, payload): (String, String, [UInt8]) = (
        try row.get("id"), try row.get("kind"), try row.get("payload")
      )
      stage = .jobs(after: id)
      let code: [UInt8]? = try row.get("code")
      guard key?.confirms(code, of: .job(id, kind, payload, of: snapshot.tenant)) != true else { continue }
      note("job '\(id)' of kind '\(kind)' is not one that the service queued", in: snapshot)
    }
    if rows.count < Self.rowsAtOnce { stage = .done }
  }
}

enum VaultCheckStatements {
  static let keys = Statement(
    own: "storage.check.keys",
    "SELECT version, wrapped, master FROM storage_vault_tenants WHERE tenant = {tenant} ORDER BY version")
  static let subjects = Statement(
    own: "storage.check.subjects",
    "SELECT subject FROM storage_vault_subjects WHERE tenant = {tenant} AND subject > ? ORDER BY subject LIMIT ?")
  static let answers = Statement(
    own: "storage.check.answers",
    "SELECT caller, key, subject, version, sealed FROM storage_idempotency "
      + "WHERE tenant = {tenant} AND (caller, key) > (?, ?) ORDER BY caller, key LIMIT ?")
  /// Jobs that wait or run.
  static let jobs = Statement(
    own: "storage.check.jobs",
    "SELECT id, kind, payload, code FROM storage_jobs WHERE tenant = {tenant} AND state IN (0, 1) AND id > ? "
      + "ORDER BY id LIMIT ?")
}
