public import Base

/// The result of verifying a bundle offline, without a database.
public struct EvidenceReport: Hashable, Sendable {
  public internal(set) var problems: [EvidenceProblem] = []
  public internal(set) var events = 0
  public internal(set) var rows = 0
  public internal(set) var commitments = 0
  public internal(set) var contents = 0
  /// How many commitments have no opening because their subject was erased, as an event proves.
  public internal(set) var erased = 0
  /// How many erasures of subjects the events record.
  public internal(set) var erasures = 0
  /// As of when each log is shown. What was recorded later is in no file.
  public internal(set) var logs: [ShownLog] = []

  public var isValid: Bool { problems.isEmpty }

  /// The result in one line.
  public var summary: String {
    let counts = "\(events) events, \(rows) rows, \(commitments) commitments, \(contents) contents"
    if !isValid { return "not valid: \(problems.count) problems" }
    return erased + erasures == 0
      ? "valid: \(counts)" : "proof intact, content erased: \(counts), \(erased) of them erased"
  }

  /// What a program says of a valid bundle: the result, and as of when each log is shown.
  public var lines: [String] { ["✓ \(summary)"] + logs.map { "  \($0.line)" } }
}

/// Verifies bundles of evidence. It needs nothing but the trusted public keys.
public struct EvidenceVerifier: Sendable {
  private let keys: [VerifyingKey]

  public init(trusting keys: [VerifyingKey]) { self.keys = keys }

  public func verify(_ bundle: [UInt8]) -> EvidenceReport {
    var report = EvidenceReport()
    do throws(EvidenceProblem) {
      for log in try ReadBundle(bundle).logs {
        var check = LogEvidenceCheck(log: log, keys: keys, report: report)
        check.run()
        report = check.report
      }
    } catch {
      report.problems.append(error)
    }
    return report
  }
}

/// Verifies one log of a bundle. The order and names of the checks are those of docs/evidence.md.
private struct LogEvidenceCheck {
  let log: ReadLog
  let keys: [VerifyingKey]
  var report: EvidenceReport
  private var proven: [Int64: Event] = [:]
  /// A cache of the rows to which proven events commit, by event.
  private var states: [Int64: Set<RowState>] = [:]
  private var erasedSubjects: Set<String> = []
  /// The commitments with their subjects, as proven rows of the vault state them.
  private var owned: Set<OwnedCommitment> = []
  /// The digests that are proven to be in the log: in payloads of events, or values of rows and commitments.
  private var onRecord: DigestSearch

  init(log: ReadLog, keys: [VerifyingKey], report: EvidenceReport) {
    self.log = log
    self.keys = keys
    self.report = report
    onRecord = DigestSearch(for: log.commitments.map(\.digest) + log.contents.map { $0.digest })
  }

  private mutating func note(_ kind: EvidenceProblem.Kind, _ place: String?, _ detail: String) {
    let place = place.map { "\(log.origin), \($0)" } ?? log.origin
    report.problems.append(EvidenceProblem(kind, at: place, detail))
  }

  mutating func run() {
    guard let head = verifiedHead(log.note, nil, of: log.origin) else { return }
    checkShown(under: head)
    for (index, earlier) in log.earlier.enumerated() { check(earlier, "earlier \(index + 1)", under: head) }
    for event in log.events { check(event, under: head) }
    checkChain()
    for (index, row) in log.rows.enumerated() { check(row, "row \(index + 1)") }
    for (index, row) in log.rows.enumerated() { checkWhole(row, "row \(index + 1)") }
    for commitment in log.commitments { check(commitment) }
    for content in log.contents { check(content.content, content.digest) }
  }

  /// Checks that the bundle has what the statement that was signed with it says, under the same head.
  private mutating func checkShown(under head: Checkpoint) {
    guard let signed = verifiedHead(log.shown, "shown", of: ShownStatement.origin(log.origin)) else { return }
    let statement = ShownStatement(
      log: head, at: log.shownAt, events: log.events.map(\.event.sequence), rows: log.rows,
      commitments: log.commitments, contents: log.contents.map { ($0.content.name, $0.digest) })
    guard statement.checkpoint == signed else {
      return note(.incomplete, "shown", "this is not what was handed out under this head")
    }
    report.logs.append(ShownLog(origin: log.origin, last: head.size, at: log.shownAt))
  }

  /// Reads a head. nil, after noting a problem, unless it has this name and a trusted key signed it.
  private mutating func verifiedHead(_ note: String, _ place: String?, of origin: String) -> Checkpoint? {
    do throws(EvidenceProblem) {
      let signed = try SignedCheckpoint(note: note)
      // By bytes: for Swift, texts that look the same are equal.
      guard signed.checkpoint.origin.utf8.elementsEqual(origin.utf8), log.origin.hasSuffix("/\(log.tenant)") else {
        self.note(.origin, place, "the head is that of '\(signed.checkpoint.origin)'")
        return nil
      }
      guard signed.isSigned(byOneOf: keys) else {
        self.note(.signature, place, "no trusted key signed the head")
        return nil
      }
      return signed.checkpoint
    } catch {
      self.note(.checkpoint, place, error.detail)
      return nil
    }
  }

  private mutating func check(_ earlier: EvidenceLog.Earlier, _ place: String, under head: Checkpoint) {
    guard let old = verifiedHead(earlier.note, place, of: log.origin) else { return }
    if !MerkleTree.isConsistent(old.size, old.root, head.size, head.root, by: earlier.proof) {
      note(.consistency, place, "the log does not begin with the \(old.size) events of that head")
    }
  }

  private mutating func check(_ proven: EvidenceLog.ProvenEvent, under head: Checkpoint) {
    let event = proven.event
    let place = "event \(event.sequence)"
    guard self.proven[event.sequence] == nil else { return note(.duplicate, place, "it stands there twice") }
    let root =
      event.sequence > 0
      ? MerkleTree.root(of: event.leaf(of: log.tenant), at: event.sequence - 1, in: head.size, by: proven.proof) : nil
    guard root == head.root else { return note(.inclusion, place, "it is not in the log under the head") }
    self.proven[event.sequence] = event
    onRecord.look(in: event.payload)
    report.events += 1
    if let subject = event.erasedSubject {
      erasedSubjects.insert(subject)
      report.erasures += 1
    }
  }

  /// Checks the hash chain wherever the bundle has an event and its predecessor.
  private mutating func checkChain() {
    for (sequence, event) in proven.sorted(by: { $0.key < $1.key }) {
      let previous = sequence == 1 ? Event.beginning : proven[sequence - 1]?.chain
      guard let previous, event.chain(after: previous, of: log.tenant) != event.chain else { continue }
      note(.chain, "event \(sequence)", "it does not follow its predecessor")
    }
  }

  private mutating func check(_ row: EvidenceLog.CommittedRow, _ place: String) {
    guard states(after: row.event).contains(row.state) else {
      return note(.row, place, "event \(row.event) does not commit to it")
    }
    for case .bytes(let bytes) in row.columns.map(\.value) { onRecord.look(in: bytes) }
    if let commitment = OwnedCommitment(row) { owned.insert(commitment) }
    report.rows += 1
  }

  /// Checks that a list whose end is shown is whole, and that the version of a record is the one that is shown with it.
  private mutating func checkWhole(_ row: EvidenceLog.CommittedRow, _ place: String) {
    if row.table == "storage_lists", !isWhole(row) {
      note(.list, place, "the entries that are shown are not those of the list")
    }
    if row.table == "records", !hasItsVersion(row) {
      note(.version, place, "it is of another version than the one that is shown")
    }
  }

  /// A list is named by the table and the first part of the key of its entries, `table/key`.
  private func isWhole(_ end: EvidenceLog.CommittedRow) -> Bool {
    guard case .text(let name)? = end["list"], case .integer(let count)? = end["count"],
      case .bytes(let chain)? = end["chain"], let slash = name.firstIndex(of: "/")
    else { return false }
    let (table, owner) = (String(name[..<slash]), String(name[name.index(after: slash)...]))
    var entries: [Int64: [UInt8]] = [:]
    for row in log.rows where row.table == table && row.key.count == 2 && row.key[0].value == .text(owner) {
      guard case .integer(let number) = row.key[1].value, case .bytes(let body)? = row["body"],
        entries.updateValue(body, forKey: number) == nil
      else { return false }
    }
    guard Int64(entries.count) == count else { return false }
    var found = ListEnd.beginning
    while let body = entries[found.count + 1] { found = found.adding(body) }
    return found.count == count && found.chain.bytes == chain
  }

  private func hasItsVersion(_ record: EvidenceLog.CommittedRow) -> Bool {
    guard let hash = record["version_hash"], hash != .text("") else { return true }
    return log.rows.contains { row in
      guard row["version_hash"] == hash else { return false }
      return row.table == "flow_versions"
        || row.table == "document_versions" && row["document_id"] == record["document_id"]
          && row["version"] == record["document_version"]
    }
  }

  /// The rows to which an event commits. They are decoded once for each event.
  private mutating func states(after sequence: Int64) -> Set<RowState> {
    if let known = states[sequence] { return known }
    let read = Set(proven[sequence].flatMap { RowChange.list($0.changes) }?.map(\.state) ?? [])
    states[sequence] = read
    return read
  }

  private mutating func check(_ commitment: EvidenceLog.OpenedCommitment) {
    let place = "commitment \(commitment.id)"
    guard onRecord.found.contains(commitment.digest) else {
      return note(.unlinked, place, "its digest stands in no event here")
    }
    if let opening = commitment.opening {
      guard opening.digest == commitment.digest else {
        return note(.commitment, place, "it does not open to its digest")
      }
      // The committed value may itself be the digest of contents.
      if opening.value.count == Digest.byteCount { onRecord.look(in: opening.value) }
    } else {
      guard erasedSubjects.contains(commitment.subject) else {
        return note(.unopened, place, "it is not opened, and no event here tells of an erasure")
      }
      // Without an opening, only the vault's row proves that the digest belongs to the erased subject.
      guard owned.contains(OwnedCommitment(commitment)) else {
        return note(.unopened, place, "it is not opened, and no row here says whose it is")
      }
      report.erased += 1
    }
    report.commitments += 1
  }

  private mutating func check(_ content: EvidenceLog.Content, _ digest: Digest) {
    let place = "content \(content.name)"
    guard Digest(of: content.bytes) == digest else {
      return note(.content, place, "its bytes are not those of its hash")
    }
    guard onRecord.found.contains(digest) else { return note(.unlinked, place, "its hash stands in no event here") }
    report.contents += 1
  }
}

/// A commitment as the vault's row states it, to which an event commits.
private struct OwnedCommitment: Hashable {
  let id: String
  let subject: String
  let label: String
  let digest: Digest

  init(_ commitment: EvidenceLog.OpenedCommitment) {
    (id, subject, label, digest) = (commitment.id, commitment.subject, commitment.label, commitment.digest)
  }

  /// nil for a row of another table.
  init?(_ row: EvidenceLog.CommittedRow) {
    guard row.table == "storage_vault_commitments", case .text(let id)? = row["id"],
      case .text(let subject)? = row["subject"], case .text(let label)? = row["label"],
      case .bytes(let bytes)? = row["digest"], let digest = Digest(bytes: bytes)
    else { return nil }
    (self.id, self.subject, self.label, self.digest) = (id, subject, label, digest)
  }
}

extension EvidenceLog.CommittedRow {
  fileprivate subscript(name: String) -> Value? { (key + columns).last { $0.name == name }?.value }
}
