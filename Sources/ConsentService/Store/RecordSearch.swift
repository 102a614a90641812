internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// The criteria of a search; empty and zero mean all.
struct RecordQuery: Sendable {
  var studyID: String
  var siteID = ""
  var subjectID = ""
  var documentID = ""
  var documentVersion: Int32 = 0
  var states: Set<RecordState> = []
  var kind = RecordKind.unspecified
  var concern = RecordConcern.unspecified
  var from: Instant?
  var until: Instant?
  var isTest = false

  /// Whether a row meets the criteria that columns answer and the index does not cover.
  fileprivate func fits(_ row: Row) throws -> Bool {
    let state = RecordState(number: Int32(truncatingIfNeeded: try row.get("state", as: Int64.self)))
    guard states.isEmpty || states.contains(state) else { return false }
    guard try studyID == row.get("study_id", as: String.self) else { return false }
    guard try siteID.isEmpty || siteID == row.get("site_id", as: String.self) else { return false }
    guard try subjectID.isEmpty || subjectID == row.get("subject_id", as: String.self) else { return false }
    guard try documentID.isEmpty || documentID == row.get("document_id", as: String.self) else { return false }
    return try documentVersion == 0 || Int64(documentVersion) == row.get("document_version", as: Int64.self)
  }
}

/// Finds records by the contents of their heads. Each call reads a bounded number of rows, along the index that fits
/// the criteria best, so that it takes as long with a million records as with a thousand, at any depth.
enum RecordSearch {
  /// How many rows one call reads. So a page may hold fewer records than asked for although more follow.
  static let mostRows = 1000

  private static let columns =
    "decided_ms, id, study_id, site_id, subject_id, document_id, document_version, state, body"
  // The cursor must be the only lower bound: of two lower bounds SQLite would use the wrong one, and read the list from
  // its beginning.
  private static let order =
    "AND decided_ms < ? AND {after decided_ms, id} ORDER BY decided_ms, id LIMIT {limit}"

  private static let inStudy = Statement(
    "record.list.study",
    "SELECT \(columns) FROM records WHERE tenant = {tenant} AND study_id = ? AND test = ? \(order)")
  private static let inState = Statement(
    "record.list.state",
    "SELECT \(columns) FROM records WHERE tenant = {tenant} AND study_id = ? AND test = ? AND state = ? \(order)")
  private static let ofVersion = Statement(
    "record.list.version",
    "SELECT \(columns) FROM records WHERE tenant = {tenant} AND document_id = ? AND document_version = ? AND test = ? \(order)"
  )
  private static let ofSubject = Statement(
    "record.list.subject",
    "SELECT \(columns) FROM records WHERE tenant = {tenant} AND subject_id = ? AND test = ? \(order)")

  private static let ofConcern = Statement(
    "record.list.concern",
    """
    SELECT decided_ms, record_id FROM concerns WHERE tenant = {tenant} AND study_id = ? AND test = ? AND kind = ?
      AND decided_ms < ? AND {after decided_ms, record_id} ORDER BY decided_ms, record_id LIMIT {limit}
    """)
  private static let concerned = Statement(
    "record.list.concerned", "SELECT \(columns) FROM records WHERE tenant = {tenant} AND id = ?")

  static let statements = [inStudy, inState, ofVersion, ofSubject, ofConcern, concerned]

  /// Heads of records, oldest first, and where to continue.
  static func list(
    _ query: RecordQuery, _ wanted: PageRequest, _ snapshot: Snapshot
  ) throws -> (records: [ConsentRecord], next: String) {
    var records: [ConsentRecord] = []
    var place = wanted.cursor
    var left = mostRows
    while left > 0 {
      // Matches may be rare or common: the first read is short, later ones are long.
      let size = min(left, records.isEmpty && left < mostRows ? mostRows : wanted.limit)
      let (page, statement) = try rows(query, after: place, limit: size, snapshot)
      left -= page.rows.count
      for (index, row) in page.rows.enumerated() {
        guard let found = try whole(row, of: query, snapshot), try query.fits(found) else { continue }
        let record = try RecordStore.head(found)
        guard query.kind == .unspecified || query.kind == record.kind else { continue }
        records.append(record)
        guard records.count == wanted.limit else { continue }
        let isLast = page.next == nil && index == page.rows.count - 1
        return (records, isLast ? "" : try PageCursor(of: row, for: statement).text)
      }
      guard let next = page.next else { return (records, "") }
      place = next
    }
    return (records, place?.text ?? "")
  }

  /// The record's row: a concern only names it.
  private static func whole(_ row: Row, of query: RecordQuery, _ snapshot: Snapshot) throws -> Row? {
    guard query.concern != .unspecified else { return row }
    return try snapshot.first(concerned, row.get("record_id", as: String.self))
  }

  private static func rows(
    _ query: RecordQuery, after cursor: PageCursor?, limit: Int, _ snapshot: Snapshot
  ) throws -> (Page, Statement) {
    let until = query.until?.millisecondsSince1970 ?? Int64.max
    if query.concern != .unspecified {
      let page = try snapshot.page(
        ofConcern, query.studyID, query.isTest, Int64(query.concern.number), until,
        after: cursor ?? start(of: query, in: ofConcern), limit: limit)
      return (page, ofConcern)
    }
    if !query.subjectID.isEmpty {
      let page = try snapshot.page(
        ofSubject, query.subjectID, query.isTest, until, after: cursor ?? start(of: query, in: ofSubject), limit: limit)
      return (page, ofSubject)
    }
    if !query.documentID.isEmpty, query.documentVersion != 0 {
      let page = try snapshot.page(
        ofVersion, query.documentID, Int64(query.documentVersion), query.isTest, until,
        after: cursor ?? start(of: query, in: ofVersion), limit: limit)
      return (page, ofVersion)
    }
    if query.states.count == 1, let state = query.states.first {
      let page = try snapshot.page(
        inState, query.studyID, query.isTest, Int64(state.number), until,
        after: cursor ?? start(of: query, in: inState), limit: limit)
      return (page, inState)
    }
    let page = try snapshot.page(
      inStudy, query.studyID, query.isTest, until, after: cursor ?? start(of: query, in: inStudy), limit: limit)
    return (page, inStudy)
  }

  /// The cursor before the first record that was decided at or after `from`: no record has an empty id. nil without
  /// `from`.
  private static func start(of query: RecordQuery, in statement: Statement) -> PageCursor? {
    query.from.map { PageCursor(after: [.integer($0.millisecondsSince1970), .text("")], for: statement) }
  }
}
