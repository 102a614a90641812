internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Flows and their versions.
enum FlowStore {
  private static let put = Statement(
    "flow.put",
    "INSERT INTO flows (tenant, id, study_id, body) VALUES ({tenant}, ?, ?, ?) "
      + "ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body")
  private static let find = Statement("flow.find", "SELECT body FROM flows WHERE tenant = {tenant} AND id = ?")
  private static let list = Statement(
    "flow.list",
    "SELECT id, body FROM flows WHERE tenant = {tenant} AND study_id = ? AND {after id} ORDER BY id LIMIT {limit}")
  private static let putVersion = Statement(
    "flow.version.put",
    "INSERT INTO flow_versions (tenant, flow_id, version, state, version_hash, body) VALUES ({tenant}, ?, ?, ?, ?, ?) "
      + "ON CONFLICT (tenant, flow_id, version) DO UPDATE SET state = excluded.state, "
      + "version_hash = excluded.version_hash, body = excluded.body")
  private static let findVersion = Statement(
    "flow.version.find", "SELECT body FROM flow_versions WHERE tenant = {tenant} AND flow_id = ? AND version = ?")
  private static let versionState = Statement(
    "flow.version.state", "SELECT state FROM flow_versions WHERE tenant = {tenant} AND flow_id = ? AND version = ?")
  /// State 6 is a discarded draft.
  private static let newestKept = Statement(
    "flow.version.newest-kept",
    "SELECT version FROM flow_versions WHERE tenant = {tenant} AND flow_id = ? AND state <> 6 "
      + "ORDER BY version DESC LIMIT 1")

  private static let newestShown = Statement(
    "flow.version.newest-shown",
    "SELECT version FROM flow_versions WHERE tenant = {tenant} AND flow_id = ? "
      + "AND state IN (\(VersionState.everPublishedNumbers)) ORDER BY version DESC LIMIT 1")

  static let statements = [put, find, list, putVersion, findVersion, versionState, newestKept, newestShown]

  static func save(_ flow: ConsentFlow, _ transaction: Transaction) throws {
    try transaction.run(put, flow.flowID, flow.studyID, try flow.encoded())
  }

  static func find(_ id: String, _ snapshot: Snapshot) throws -> ConsentFlow? {
    try snapshot.first(find, id)?.message("body")
  }

  static func flow(_ id: String, _ snapshot: Snapshot) throws -> ConsentFlow {
    guard let flow = try find(id, snapshot) else { throw Refusal.notFound("flow", id) }
    return flow
  }

  static func list(
    _ studyID: String, _ page: PageRequest, _ snapshot: Snapshot
  ) throws -> ([ConsentFlow], String) {
    let page = try snapshot.page(list, studyID, at: page)
    return (try page.rows.map { try $0.message("body") }, page.nextToken)
  }

  static func save(_ version: FlowVersion, _ transaction: Transaction) throws {
    try write(version, try version.encoded(), transaction)
  }

  /// Saves a version that an author wrote, unless it is larger than authors may make it. The limit leaves room for what
  /// is added to the version later, such as approvals.
  static func save(written version: FlowVersion, _ transaction: Transaction) throws {
    let bytes = try LastingMessage.encode(version, as: "version \(version.version) of '\(version.flowID)'")
    try write(version, bytes, transaction)
  }

  private static func write(_ version: FlowVersion, _ body: [UInt8], _ transaction: Transaction) throws {
    try transaction.run(
      putVersion, version.flowID, Int64(version.version), Int64(version.state.number), version.versionHash, body)
  }

  /// A version that must exist.
  static func existing(_ flowID: String, _ number: Int32, _ snapshot: Snapshot) throws -> FlowVersion {
    try snapshot.one(findVersion, flowID, Int64(number)).message("body")
  }

  private static func notFound(_ number: Int32, of flowID: String) -> Refusal {
    .notFound("version", "\(flowID) version \(number)", field: "version")
  }

  /// The version that a call names by its number; refused if there is none.
  static func version(_ number: Int32, of flow: ConsentFlow, _ snapshot: Snapshot) throws -> FlowVersion {
    guard let row = try snapshot.first(findVersion, flow.flowID, Int64(number)) else {
      throw notFound(number, of: flow.flowID)
    }
    return try row.message("body")
  }

  /// The number of the flow's next version, which no version of it ever had.
  static func newNumber(of flowID: String, _ transaction: Transaction) throws -> Int32 {
    Int32(clamping: try transaction.add(toList: "flow_versions/\(flowID)"))
  }

  /// The newest version that is not a discarded draft; 0 when there is none.
  static func newestKept(of flowID: String, _ snapshot: Snapshot) throws -> Int32 {
    guard let row = try snapshot.first(newestKept, flowID) else { return 0 }
    return Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
  }

  /// The state of a version, which may have megabytes and is not read for this; `.unspecified` for one that does not
  /// exist.
  static func state(of flowID: String, _ version: Int32, _ snapshot: Snapshot) throws -> VersionState {
    try VersionState(in: snapshot.first(versionState, flowID, Int64(version)))
  }

  /// The version with this number, refused if it never was published; for 0 the published one, else the newest that
  /// ever was, and nil if none was.
  static func shownVersion(_ number: Int32, of flow: ConsentFlow, _ snapshot: Snapshot) throws -> FlowVersion? {
    var number = number == 0 ? flow.publishedVersion : number
    if number == 0 {
      guard let row = try snapshot.first(newestShown, flow.flowID) else { return nil }
      number = Int32(truncatingIfNeeded: try row.get("version", as: Int64.self))
    }
    let version = try version(number, of: flow, snapshot)
    guard version.state.wasPublished else { throw notFound(number, of: flow.flowID) }
    return version
  }

  /// The version with this number; for 0 the published one, else the draft, else the newest that was not discarded.
  static func version(orNewest number: Int32, of flow: ConsentFlow, _ snapshot: Snapshot) throws -> FlowVersion {
    var newest = flow.publishedVersion != 0 ? flow.publishedVersion : flow.draftVersion
    if newest == 0 { newest = try newestKept(of: flow.flowID, snapshot) }
    return try version(number == 0 ? newest : number, of: flow, snapshot)
  }
}
