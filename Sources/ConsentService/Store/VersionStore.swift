internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// A document or a flow: it has numbered versions, at most one of which is a draft, and one that is published.
protocol Versioned: Message {
  associatedtype Store: VersionStore where Store.Thing == Self

  /// The field of an event that names it.
  static var eventID: WritableKeyPath<ConsentEvent, String> { get }
  var id: String { get }
  var studyID: String { get }
  var publishedVersion: Int32 { get set }
  var draftVersion: Int32 { get set }
  var pendingApprovals: [PendingApproval] { get set }

  /// A version with nothing in it.
  func version(_ number: Int32) -> Store.Version
}

/// A version of a document or a flow. From its publication on, what it contains stays as it is.
protocol NumberedVersion: Message {
  associatedtype Content: Message

  var version: Int32 { get }
  var state: VersionState { get set }
  var revision: Int32 { get set }
  var content: Content? { get set }
  var versionHash: String { get }
  var publishedAt: Timestamp? { get set }
  var publishedBy: String { get set }
  var approvedBy: String { get set }
  var endedReason: String { get set }
  var endedAt: Timestamp? { get set }
}

/// The statements for the two tables of documents or of flows.
struct VersionTables: Sendable {
  /// What is stored in them: "document".
  let word: String
  fileprivate let put, find, list, findVersion, state, newestKept, newestShown: Statement
  let putVersion: Statement

  /// - Parameter further: columns that versions have besides state, hash and body.
  init(_ word: String, further: [String]) {
    self.word = word
    let (things, versions) = ("\(word)s", "\(word)_versions")
    let ofThing = "FROM \(versions) WHERE tenant = {tenant} AND \(word)_id = ?"
    let columns = ["state", "version_hash", "body"] + further
    put = Statement(
      "\(word).put",
      "INSERT INTO \(things) (tenant, id, study_id, body) VALUES ({tenant}, ?, ?, ?) "
        + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
    find = Statement("\(word).find", "SELECT body FROM \(things) WHERE tenant = {tenant} AND id = ?")
    list = Statement(
      "\(word).list",
      "SELECT id, body FROM \(things) WHERE tenant = {tenant} AND study_id = ? AND {after id} ORDER BY id LIMIT {limit}"
    )
    putVersion = Statement(
      "\(word).version.put",
      "INSERT INTO \(versions) (tenant, \(word)_id, version, \(columns.joined(separator: ", "))) "
        + "VALUES ({tenant}, ?, ?, \(columns.map { _ in "?" }.joined(separator: ", "))) "
        + "ON CONFLICT (tenant, \(word)_id, version) DO UPDATE SET "
        + columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    findVersion = Statement("\(word).version.find", "SELECT body \(ofThing) AND version = ?")
    state = Statement("\(word).version.state", "SELECT state \(ofThing) AND version = ?")
    newestKept = Statement(
      "\(word).version.newest-kept",
      "SELECT version \(ofThing) AND state <> \(VersionState.discarded.number) ORDER BY version DESC LIMIT 1")
    newestShown = Statement(
      "\(word).version.newest-shown",
      "SELECT version \(ofThing) AND state IN (\(VersionState.everPublishedNumbers)) ORDER BY version DESC LIMIT 1")
  }

  var statements: [Statement] { [put, find, list, putVersion, findVersion, state, newestKept, newestShown] }
}

/// Stores documents or flows, and their versions.
protocol VersionStore {
  associatedtype Thing: Versioned where Thing.Store == Self
  associatedtype Version: NumberedVersion

  static var tables: VersionTables { get }
  static func write(_ version: Version, _ body: [UInt8], _ transaction: Transaction) throws
  /// The identifier of the document or flow that a version is of.
  static func owner(of version: Version) -> String
  /// What waits for a second person.
  static func pendingApprovals(of thing: Thing, _ snapshot: Snapshot) throws -> [PendingApproval]
}

extension VersionStore {
  // MARK: Documents and flows

  static func save(_ thing: Thing, _ transaction: Transaction) throws {
    try transaction.run(tables.put, thing.id, thing.studyID, try thing.encoded())
  }

  static func find(_ id: String, _ snapshot: Snapshot) throws -> Thing? {
    try snapshot.first(tables.find, id)?.message("body")
  }

  static func named(_ id: String, _ snapshot: Snapshot) throws -> Thing {
    guard let thing = try find(id, snapshot) else { throw Refusal.notFound(tables.word, id) }
    return thing
  }

  /// - Parameter withPending: with what waits for a second person, for those who see drafts.
  static func list(
    _ studyID: String, _ page: PageRequest, withPending: Bool, _ snapshot: Snapshot
  ) throws -> ([Thing], String) {
    let page = try snapshot.page(tables.list, studyID, at: page)
    var things: [Thing] = try page.rows.map { try $0.message("body") }
    if withPending {
      for index in things.indices { things[index].pendingApprovals = try pendingApprovals(of: things[index], snapshot) }
    }
    return (things, page.nextToken)
  }

  /// The draft, if it was published by one person and waits for the second.
  static func pendingDraft(of thing: Thing, _ snapshot: Snapshot) throws -> [PendingApproval] {
    let number = thing.draftVersion
    guard number != 0, try state(of: thing.id, number, snapshot) == .awaitingApproval else { return [] }
    return [PendingApproval(version: number, askedBy: try existing(thing.id, number, snapshot).publishedBy)]
  }

  // MARK: Versions

  static func save(_ version: Version, _ transaction: Transaction) throws {
    try write(version, try version.encoded(), transaction)
  }

  /// Saves a version that an author wrote, unless it is larger than authors may make it. The limit leaves room for what
  /// is added to the version later, such as approvals.
  static func save(written version: Version, _ transaction: Transaction) throws {
    let bytes = try LastingMessage.encode(version, as: "version \(version.version) of '\(owner(of: version))'")
    try write(version, bytes, transaction)
  }

  /// A version that must exist.
  static func existing(_ id: String, _ number: Int32, _ snapshot: Snapshot) throws -> Version {
    try snapshot.one(tables.findVersion, id, Int64(number)).message("body")
  }

  static func find(_ number: Int32, of thing: Thing, _ snapshot: Snapshot) throws -> Version? {
    try snapshot.first(tables.findVersion, thing.id, Int64(number))?.message("body")
  }

  private static func notFound(_ number: Int32, of thing: Thing) -> Refusal {
    .notFound("version", "\(thing.id) version \(number)", field: "version")
  }

  /// The version that a call names by its number; refused if there is none.
  static func version(_ number: Int32, of thing: Thing, _ snapshot: Snapshot) throws -> Version {
    guard let version = try find(number, of: thing, snapshot) else { throw notFound(number, of: thing) }
    return version
  }

  /// The version with this number; for 0 the published one, else the draft, else the newest that was not discarded.
  static func version(orNewest number: Int32, of thing: Thing, _ snapshot: Snapshot) throws -> Version {
    var newest = thing.publishedVersion != 0 ? thing.publishedVersion : thing.draftVersion
    if newest == 0 { newest = try newestKept(of: thing, snapshot) }
    return try version(number == 0 ? newest : number, of: thing, snapshot)
  }

  /// The newest version that is not a discarded draft; 0 when there is none.
  static func newestKept(of thing: Thing, _ snapshot: Snapshot) throws -> Int32 {
    try snapshot.first(tables.newestKept, thing.id).map { try number(in: $0) } ?? 0
  }

  /// The version with this number, refused if it never was published; for 0 the published one, else the newest that
  /// ever was, and nil if none was.
  static func shownVersion(_ number: Int32, of thing: Thing, _ snapshot: Snapshot) throws -> Version? {
    var number = number == 0 ? thing.publishedVersion : number
    if number == 0 {
      guard let row = try snapshot.first(tables.newestShown, thing.id) else { return nil }
      number = try self.number(in: row)
    }
    let version = try version(number, of: thing, snapshot)
    guard version.state.wasPublished else { throw notFound(number, of: thing) }
    return version
  }

  /// The state of a version, which may have megabytes and is not read for this; `.unspecified` for one that does not
  /// exist.
  static func state(of id: String, _ version: Int32, _ snapshot: Snapshot) throws -> VersionState {
    try VersionState(in: snapshot.first(tables.state, id, Int64(version)))
  }

  /// The number of the next version, which no version ever had.
  static func newNumber(of id: String, _ transaction: Transaction) throws -> Int32 {
    Int32(clamping: try transaction.add(toList: "\(tables.word)_versions/\(id)"))
  }

  private static func number(in row: Row) throws -> Int32 {
    Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
  }
}
