internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Invitations. What one may still do follows from its row and from the session that it began, so nothing has to be
/// changed when that session ends.
enum InvitationStore {
  private static let put = Statement(
    "invitation.put",
    "INSERT INTO invitations (tenant, code, body, revoked, session_id) VALUES ({tenant}, ?, ?, 0, '')")
  private static let find = Statement(
    "invitation.find", "SELECT body, revoked, session_id FROM invitations WHERE tenant = {tenant} AND code = ?")
  private static let putInStudy = Statement(
    "invitation.study.put", "INSERT INTO study_invitations (tenant, study_id, code) VALUES ({tenant}, ?, ?)")
  private static let list = Statement(
    "invitation.list",
    "SELECT code FROM study_invitations WHERE tenant = {tenant} AND study_id = ? AND {after code} "
      + "ORDER BY code LIMIT {limit}")
  private static let revoke = Statement(
    "invitation.revoke", "UPDATE invitations SET revoked = 1 WHERE tenant = {tenant} AND code = ? AND revoked = 0")
  private static let begin = Statement(
    "invitation.begin",
    "UPDATE invitations SET session_id = ? WHERE tenant = {tenant} AND code = ? AND session_id = ''")

  static let statements = [put, find, putInStudy, list, revoke, begin]

  /// - Parameter secret: what has to be given besides the code; nil: nothing.
  static func save(
    _ invitation: StudyInvitation, of studyID: String, secret: InvitationSecret?, _ transaction: Transaction
  ) throws {
    try transaction.run(put, invitation.code, try invitation.encoded())
    try transaction.run(putInStudy, studyID, invitation.code)
    guard let secret else { return }
    try transaction.vault.put(
      Array(secret.text.utf8), as: item(invitation.code), of: try Subject.stored(invitation.subjectID))
  }

  /// The name in the vault of what an invitation asks for.
  private static func item(_ code: String) -> String { "invitation/\(code)" }

  /// What an invitation asks for besides its code.
  static func secret(of invitation: StudyInvitation, _ snapshot: Snapshot) throws -> InvitationSecret {
    let stored = try snapshot.personal(item(invitation.code), of: invitation.subjectID) ?? []
    return InvitationSecret(text: String(decoding: stored, as: UTF8.self))
  }

  static func invitations(
    of studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([StudyInvitation], String) {
    // One more than asked for: its code tells where the next page begins.
    let found = try snapshot.page(list, studyID, after: page.cursor, limit: page.limit + 1)
    let codes = try found.rows.map { try $0.get("code", as: String.self) }
    let shown = try codes.prefix(page.limit).map { try invitation($0, snapshot) }
    guard codes.count > page.limit, let next = codes.last, let last = codes.dropLast().last else { return (shown, "") }
    return (shown, PageCursor(after: [.text(place(after: last, before: next))], for: list).text)
  }

  /// A place in the list between two codes that follow each other: as much of the second one as tells them apart. The
  /// token of a page names its place, and not everybody who reads the list may know its codes. Among codes that differ
  /// in nothing but the end, which chance hardly makes, there is no such place, and the first one is named.
  private static func place(after last: String, before next: String) -> String {
    let same = zip(last.utf8, next.utf8).prefix { $0 == $1 }.count
    let place = next.utf8.prefix(same + 1)
    return place.count < next.utf8.count ? String(decoding: place, as: UTF8.self) : last
  }

  /// Revokes an invitation. Returns false if it was revoked before.
  static func revoke(_ code: String, _ transaction: Transaction) throws -> Bool {
    try transaction.run(revoke, code) == 1
  }

  static func invitation(_ code: String, _ snapshot: Snapshot) throws -> StudyInvitation {
    guard let invitation = try find(code, snapshot) else { throw unknown(code) }
    return invitation
  }

  static func unknown(_ code: String, field: String = "invitation_code") -> Refusal {
    Refusal.notFound("invitation", code, field: field)
  }

  /// The invitation with this code and what it may still do; nil if there is none.
  static func find(_ code: String, _ snapshot: Snapshot) throws -> StudyInvitation? {
    let code = InvitationLink.normal(code)
    guard let row = try snapshot.first(find, code) else { return nil }
    var invitation: StudyInvitation = try row.message("body")
    invitation.sessionID = try row.get("session_id")
    invitation.state = try state(of: invitation, isRevoked: try row.get("revoked"), snapshot)
    invitation.link = InvitationLink(tenant: snapshot.tenant, code: code).path
    return invitation
  }

  private static func state(
    of invitation: StudyInvitation, isRevoked: Bool, _ snapshot: Snapshot
  ) throws -> InvitationState {
    if let session = try SessionStore.plain(invitation.sessionID, snapshot),
      session.outcome != .unspecified || snapshot.now >= session.expiresAt
    {
      return .usedUp
    }
    if isRevoked { return .revoked }
    if let end = invitation.expiresAt?.clamped, snapshot.now >= end { return .expired }
    return .usable
  }

  /// Notes which session an invitation began.
  static func begin(_ code: String, _ sessionID: String, _ transaction: Transaction) throws {
    guard try transaction.run(begin, sessionID, InvitationLink.normal(code)) == 1 else {
      let message = "invitation '\(code)' was opened elsewhere at this moment; open it again"
      throw Refusal(.aborted, "invitation_opened", field: "invitation_code", message)
    }
  }
}

/// What an invitation asks for besides its code, as the vault keeps it.
struct InvitationSecret: Hashable, Sendable {
  let text: String

  init(text: String) {
    self.text = text
  }

  /// A code that the person was told. Its case does not matter, nor do spaces and hyphens.
  init(toldCode: String) {
    text = "code \(InvitationLink.normal(toldCode))"
  }

  init(birthDate: CalendarDate) {
    text = "born \(birthDate.year)-\(birthDate.month)-\(birthDate.day)"
  }
}

/// The part of an invitation's link that names it: its tenant, and its code.
struct InvitationLink: Hashable, Sendable {
  let tenant: Tenant
  let code: String

  init(tenant: Tenant, code: String) {
    (self.tenant, self.code) = (tenant, code)
  }

  private static let longest = 2_000

  /// Reads a link, or what stands behind its `#`; nil for a text that is none.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let name = text.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), let tenant = Tenant(String(name[..<dot])) else { return nil }
    (self.tenant, code) = (tenant, Self.normal(String(name[name.index(after: dot)...])))
    if code.isEmpty { return nil }
  }

  /// Where a browser opens the invitation, behind the gateway's own address.
  var path: String { "/c#\(tenant.id).\(code)" }

  /// A code as it was made, whatever case and separators were typed.
  static func normal(_ typed: String) -> String {
    guard typed.utf8.count <= longest else { return typed }
    return typed.uppercased().filter { !$0.isWhitespace && $0 != "-" }
  }
}
