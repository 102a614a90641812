internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Studies and sites.
enum StudyStore {
  private static let put = Statement(
    "study.put",
    "INSERT INTO studies (tenant, id, body) VALUES ({tenant}, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
  private static let find = Statement("study.find", "SELECT body FROM studies WHERE tenant = {tenant} AND id = ?")
  private static let list = Statement(
    "study.list",
    "SELECT id, body FROM studies WHERE tenant = {tenant} AND {after id} ORDER BY id LIMIT {limit}")
  private static let putSite = Statement(
    "site.put",
    "INSERT INTO sites (tenant, study_id, id, body) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, study_id, id) DO UPDATE SET body = excluded.body")
  private static let sites = Statement(
    "site.list",
    "SELECT id, body FROM sites WHERE tenant = {tenant} AND study_id = ? AND {after id} ORDER BY id LIMIT {limit}")
  private static let findSite = Statement(
    "site.find", "SELECT body FROM sites WHERE tenant = {tenant} AND study_id = ? AND id = ?")
  private static let bodies = Statement("study.bodies", "SELECT body FROM studies WHERE tenant = {tenant}")
  static let statements = [put, find, list, putSite, sites, findSite, bodies]

  static func save(_ study: ConsentStudy, _ transaction: Transaction) throws {
    try transaction.run(put, study.studyID, try study.encoded())
  }

  static func study(_ id: String, _ snapshot: Snapshot) throws -> ConsentStudy {
    guard let row = try snapshot.first(find, id) else { throw Refusal.notFound("study", id) }
    return try row.message("body")
  }

  static func exists(_ id: String, _ snapshot: Snapshot) throws -> Bool { try snapshot.first(find, id) != nil }

  /// The identifiers of all studies of the tenant.
  static func identifiers(_ snapshot: Snapshot) throws -> [String] {
    try snapshot.all(bodies).map { try ($0.message("body") as ConsentStudy).studyID }
  }

  static func list(
    _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([ConsentStudy], String) {
    let page = try snapshot.page(list, at: page)
    return (try page.rows.map { try $0.message("body") }, page.nextToken)
  }

  static func save(_ site: StudySite, _ transaction: Transaction) throws {
    try transaction.run(putSite, site.studyID, site.siteID, try site.encoded())
  }

  static func sites(
    of studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([StudySite], String) {
    let page = try snapshot.page(sites, studyID, at: page)
    return (try page.rows.map { try $0.message("body") }, page.nextToken)
  }

  static func site(_ siteID: String, of studyID: String, _ snapshot: Snapshot) throws -> StudySite? {
    try snapshot.first(findSite, studyID, siteID)?.message("body")
  }

  static func checkSite(_ siteID: String, of studyID: String, _ snapshot: Snapshot) throws {
    guard !siteID.isEmpty else { return }
    if try site(siteID, of: studyID, snapshot) == nil { throw Refusal.notFound("site", siteID) }
  }

  /// Whether any of the tenant's studies requires a second person's approval.
  static func wantsSecondPerson(_ snapshot: Snapshot) throws -> Bool {
    try snapshot.all(bodies).contains { (try $0.message("body") as ConsentStudy).secondPerson }
  }
}

extension Row {
  /// Decodes a column that holds a message of the contract.
  func message<Body: Message>(_ name: String) throws -> Body {
    try Body(decoding: try get(name, as: [UInt8].self))
  }
}
