internal import Base
internal import Storage

/// A tenant's webhooks.
enum WebhookStore {
  private static let columns = "id, study_id, url, kinds, active, created_by, created_ms"
  private static let insert = Statement(
    "webhook.insert",
    "INSERT INTO webhooks (tenant, \(columns)) VALUES ({tenant}, ?, ?, ?, ?, ?, ?, ?)")
  private static let update = Statement(
    "webhook.update", "UPDATE webhooks SET url = ?, kinds = ?, active = ? WHERE tenant = {tenant} AND id = ?")
  private static let remove = Statement("webhook.remove", "DELETE FROM webhooks WHERE tenant = {tenant} AND id = ?")
  private static let get = Statement(
    "webhook.get", "SELECT \(columns) FROM webhooks WHERE tenant = {tenant} AND id = ?")
  private static let list = Statement(
    "webhook.list", "SELECT \(columns) FROM webhooks WHERE tenant = {tenant} ORDER BY id")

  static let statements = [insert, update, remove, get, list]

  static func add(_ webhook: StoredWebhook, _ transaction: Transaction) throws {
    try transaction.run(
      insert, webhook.id, webhook.studyID, webhook.url, webhook.kinds.joined(separator: " "),
      webhook.isDisabled ? 0 : 1, webhook.createdBy, webhook.createdAt)
  }

  static func save(_ webhook: StoredWebhook, _ transaction: Transaction) throws {
    try transaction.run(
      update, webhook.url, webhook.kinds.joined(separator: " "), webhook.isDisabled ? 0 : 1, webhook.id)
  }

  static func remove(_ id: String, _ transaction: Transaction) throws {
    try transaction.run(remove, id)
  }

  static func webhook(_ id: String, _ snapshot: Snapshot) throws -> StoredWebhook? {
    try snapshot.first(get, id).map { try StoredWebhook(row: $0) }
  }

  static func all(_ snapshot: Snapshot) throws -> [StoredWebhook] {
    try snapshot.all(list).map { try StoredWebhook(row: $0) }
  }
}

extension StoredWebhook {
  fileprivate init(row: Row) throws(DatabaseError) {
    id = try row.get("id")
    studyID = try row.get("study_id")
    url = try row.get("url")
    kinds = try row.get("kinds", as: String.self).split(separator: " ").map(String.init)
    isDisabled = try row.get("active", as: Int.self) == 0
    createdBy = try row.get("created_by")
    createdAt = try row.get("created_ms")
  }
}
