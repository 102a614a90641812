internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Studies, sites and invitations.
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
  private static let putInvitation = Statement(
    "invitation.put", "INSERT INTO invitations (tenant, code, body, used) VALUES ({tenant}, ?, ?, 0)")
  private static let findInvitation = Statement(
    "invitation.find", "SELECT body, used FROM invitations WHERE tenant = {tenant} AND code = ?")
  private static let putStudyInvitation = Statement(
    "invitation.study.put", "INSERT INTO study_invitations (tenant, study_id, code) VALUES ({tenant}, ?, ?)")
  private static let invitations = Statement(
    "invitation.list",
    "SELECT code FROM study_invitations WHERE tenant = {tenant} AND study_id = ? AND {after code} "
      + "ORDER BY code LIMIT {limit}")
  /// `used` is 0 for an open invitation, 1 for a used one and 2 for a revoked one.
  private static let revokeInvitation = Statement(
    "invitation.revoke", "UPDATE invitations SET used = 2 WHERE tenant = {tenant} AND code = ? AND used = 0")
  private static let useInvitation = Statement(
    "invitation.use", "UPDATE invitations SET used = 1 WHERE tenant = {tenant} AND code = ? AND used = 0")

  static let statements = [
    put, find, list, putSite, sites, findSite, bodies, putInvitation, findInvitation, useInvitation,
    putStudyInvitation, invitations, revokeInvitation,
  ]

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

  static func save(_ invitation: StudyInvitation, of studyID: String, _ transaction: Transaction) throws {
    try transaction.run(putInvitation, invitation.code, try invitation.encoded())
    try transaction.run(putStudyInvitation, studyID, invitation.code)
  }

  static func invitations(
    of studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([StudyInvitation], String) {
    // One more than asked for: its code tells where the next page begins.
    let found = try snapshot.page(invitations, studyID, after: page.cursor, limit: page.limit + 1)
    let codes = try found.rows.map { try $0.get("code", as: String.self) }
    let shown = try codes.prefix(page.limit).map { try invitation($0, snapshot) }
    guard codes.count > page.limit, let next = codes.last, let last = codes.dropLast().last else { return (shown, "") }
    return (shown, PageCursor(after: [.text(place(after: last, before: next))], for: invitations).text)
  }

  /// A place in the list between two codes that follow each other: as much of the second one as tells them apart. The
  /// token of a page names its place, and not everybody who reads the list may know its codes. Among codes that differ
  /// in nothing but the end, which chance hardly makes, there is no such place, and the first one is named.
  private static func place(after last: String, before next: String) -> String {
    let same = zip(last.utf8, next.utf8).prefix { $0 == $1 }.count
    let place = next.utf8.prefix(same + 1)
    return place.count < next.utf8.count ? String(decoding: place, as: UTF8.self) : last
  }

  /// Revokes an invitation. Returns false if it was used or revoked before.
  static func revoke(_ code: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(revokeInvitation, code) == 1
  }

  /// An invitation, used or not.
  static func invitation(_ code: String, _ snapshot: Snapshot) throws -> StudyInvitation {
    guard let row = try snapshot.first(findInvitation, code) else {
      throw Refusal.notFound("invitation", code, field: "invitation_code")
    }
    var invitation: StudyInvitation = try row.message("body")
    let state: Int64 = try row.get("used")
    (invitation.used, invitation.revoked) = (state == 1, state == 2)
    return invitation
  }

  /// Uses up an invitation; each code works once.
  static func use(_ code: String, _ transaction: Transaction) throws -> StudyInvitation {
    let invitation = try invitation(code, transaction)
    if invitation.revoked {
      let message = "invitation '\(code)' was revoked"
      throw Refusal(.precondition, "invitation_revoked", field: "invitation_code", message)
    }
    guard try transaction.run(useInvitation, code) == 1 else {
      throw Refusal(.precondition, "invitation_used", field: "invitation_code", "invitation '\(code)' was used before")
    }
    if let end = invitation.expiresAt?.clamped, transaction.now >= end {
      let message = "invitation '\(code)' ended at \(TimeText.rfc3339(end))"
      throw Refusal(.precondition, "invitation_expired", field: "invitation_code", message)
    }
    return invitation
  }
}

extension Row {
  /// Decodes a column that holds a message of the contract.
  func message<Body: Message>(_ name: String) throws -> Body {
    try Body(decoding: try get(name, as: [UInt8].self))
  }
}
