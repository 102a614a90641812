internal import ConsentContract
internal import Storage
internal import Wire

/// Counts per version of a document, updated with every change: reading them takes as long for a million records as for
/// one.
enum CountStore {
  /// The quantities that are counted.
  enum Count: Hashable {
    case started
    /// Records that are in a state now.
    case records(RecordState)
    /// Records of a site that are in force now.
    case inForce(site: String)
    /// Sessions that ended without a decision, by the step where they ended.
    case stopped(step: String)

    fileprivate var name: String {
      switch self {
      case .started: "started"
      case .records(let state): "records/\(state.number)"
      case .inForce(let site): "site/\(site)"
      case .stopped(let step): "stopped/\(step)"
      }
    }
  }

  /// A version of a document, and whether test participants or real ones are counted.
  struct Place {
    let documentID: String
    let version: Int32
    let isTest: Bool

    /// A form of a flow is counted in the same rows, under a name that no document can have.
    static func form(_ stepID: String, of flowID: String, version: Int32, isTest: Bool) -> Place {
      Place(documentID: "form:\(flowID)/\(stepID)", version: version, isTest: isTest)
    }
  }

  /// Each count is spread over this many rows, so that sessions that end at the same time seldom wait for each other.
  private static let slots: UInt64 = 16

  private static let add = Statement(
    "count.add",
    "INSERT INTO version_counts (tenant, document_id, version, test, name, slot, amount) "
      + "VALUES ({tenant}, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, document_id, version, test, name, slot) "
      + "DO UPDATE SET amount = version_counts.amount + excluded.amount")
  private static let list = Statement(
    "count.list",
    "SELECT name, CAST(SUM(amount) AS BIGINT) AS amount FROM version_counts "
      + "WHERE tenant = {tenant} AND document_id = ? AND version = ? AND test = ? GROUP BY name ORDER BY name")

  static let statements = [add, list]

  /// - Parameter id: identifies the counted thing. Its hash chooses one of the rows over which the count is spread, and
  ///   is used for nothing else.
  static func add(_ amount: Int64, _ count: Count, _ place: Place, of id: String, _ transaction: Transaction) throws {
    let slot = id.utf8.reduce(0) { (sum: UInt64, byte) in sum &* 31 &+ UInt64(byte) } % slots
    try transaction.run(add, place.documentID, Int64(place.version), place.isTest, count.name, Int64(slot), amount)
  }

  static func counts(_ place: Place, _ snapshot: Snapshot) throws -> VersionCounts {
    var counts = VersionCounts()
    for row in try snapshot.all(list, place.documentID, Int64(place.version), place.isTest) {
      let name: String = try row.get("name")
      let amount = Int32(clamping: try row.get("amount", as: Int64.self))
      guard amount != 0 else { continue }
      let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
      switch parts.first {
      case "started": counts.started = amount
      case "stopped": counts.stoppedAt.append(StepCount(stepID: parts.count > 1 ? parts[1] : "", count: amount))
      case "site": counts.inForceAt.append(SiteCount(siteID: parts.count > 1 ? parts[1] : "", count: amount))
      default: counts.add(amount, RecordState(number: parts.count > 1 ? Int32(parts[1]) ?? 0 : 0))
      }
    }
    counts.inForceAt.sort { $0.siteID < $1.siteID }
    return counts
  }

  static func forms(_ place: Place, stepID: String, _ snapshot: Snapshot) throws -> FormCounts {
    var counts = FormCounts(stepID: stepID)
    for row in try snapshot.all(list, place.documentID, Int64(place.version), place.isTest) {
      let name = try row.get("name", as: String.self).split(separator: "/").map(String.init)
      let amount = Int32(clamping: try row.get("amount", as: Int64.self))
      guard name.count == 2, name[0] == "records", let number = Int32(name[1]) else { continue }
      let state = RecordState(number: number)
      if state == .voided { continue }
      if state == .declined { counts.refused.add(amount) } else { counts.allowed.add(amount) }
      if state == .withdrawn { counts.withdrawn.add(amount) }
      if state == .inForce { counts.inForce.add(amount) }
    }
    return counts
  }
}

extension VersionCounts {
  fileprivate mutating func add(_ amount: Int32, _ state: RecordState) {
    if state == .declined { declined.add(amount) }
    if state == .withdrawn { withdrawn.add(amount) }
    // Of a person's consents to one version the last one alone is in force, so these are people.
    if state == .inForce { inForce.add(amount) }
    if ![.declined, .needsAttention, .rejected, .voided].contains(state) { completed.add(amount) }
  }
}

extension Int32 {
  /// Adds a number from a row; the sum is clamped to Int32.
  fileprivate mutating func add(_ amount: Int32) { self = Int32(clamping: Int64(self) + Int64(amount)) }
}
