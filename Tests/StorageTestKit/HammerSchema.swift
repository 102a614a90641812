public import Storage

/// The tables that the hammer writes and its test counts.
public enum HammerSchema {
  public static let insert = Statement(
    "hits.insert", "INSERT INTO hits (tenant, writer, number) VALUES ({tenant}, ?, ?)")
  public static let count = Statement("hits.count", "SELECT count(*) AS hits FROM hits WHERE tenant = {tenant}")

  public static let migrations = [
    Migration(
      1, "hits",
      "CREATE TABLE hits (tenant TEXT NOT NULL, writer BIGINT NOT NULL, number BIGINT NOT NULL, "
        + "PRIMARY KEY (tenant, writer, number)) {clustered}")
  ]

  public static func named(_ name: String) -> Schema {
    Schema(name: name, migrations: migrations, statements: [insert, count])
  }
}
