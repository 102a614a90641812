public import Storage

/// The tables of webhooks, in the database of each service that has webhooks. Their secrets are in the vault.
public enum WebhookSchema {
  /// The part of a service's migration that makes the tables.
  public static let tables = """
    CREATE TABLE webhooks (
      tenant TEXT NOT NULL, id TEXT NOT NULL, study_id TEXT NOT NULL, url TEXT NOT NULL, kinds TEXT NOT NULL,
      active BIGINT NOT NULL, created_by TEXT NOT NULL, created_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id));
    CREATE TABLE webhook_progress (
      tenant TEXT NOT NULL, id TEXT NOT NULL, position BIGINT NOT NULL, failures BIGINT NOT NULL,
      pause_ms BIGINT NOT NULL, failing_ms BIGINT, delivered_ms BIGINT, failure TEXT NOT NULL, lease TEXT NOT NULL,
      lease_ms BIGINT NOT NULL, PRIMARY KEY (tenant, id));
    CREATE TABLE webhook_deliveries (
      tenant TEXT NOT NULL, webhook_id TEXT NOT NULL, sequence BIGINT NOT NULL, lane TEXT NOT NULL,
      attempts BIGINT NOT NULL, since_ms BIGINT NOT NULL, due_ms BIGINT NOT NULL, parked_ms BIGINT NOT NULL,
      failure TEXT NOT NULL, PRIMARY KEY (tenant, webhook_id, sequence));
    CREATE INDEX webhook_deliveries_by_lane ON webhook_deliveries (tenant, webhook_id, lane, sequence);
    CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (tenant, webhook_id, due_ms, sequence);
    CREATE TABLE webhook_trials (
      tenant TEXT NOT NULL, place TEXT NOT NULL, until_ms BIGINT NOT NULL, PRIMARY KEY (tenant, place));
    """

  public static let statements =
    WebhookStore.statements + ProgressStore.statements + DeliveryStore.statements + TrialStore.statements

  public static let coverage = [
    TableCoverage(
      "webhooks", key: ["id"], committed: ["study_id", "url", "kinds", "active", "created_by", "created_ms"]),
    TableCoverage("webhook_progress", exempt: "how far sending is; what is sent comes from the events"),
    TableCoverage("webhook_deliveries", exempt: "what waits to be sent; what is sent comes from the events"),
    TableCoverage("webhook_trials", exempt: "counts test messages of the last minute, and decides nothing else"),
  ]
}
