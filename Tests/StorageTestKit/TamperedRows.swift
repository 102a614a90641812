@testable public import Storage

/// Makes tamperings with rows of one tenant, which are named by their keys as the check names them: "heart, north".
public struct TamperedRows<World: Sendable>: Sendable {
  private let engine: TestEngine
  private let schema: Schema
  private let tenant: Tenant

  public init(_ engine: TestEngine, _ schema: Schema, of tenant: Tenant) {
    (self.engine, self.schema, self.tenant) = (engine, schema, tenant)
  }

  /// A row's columns are changed.
  ///
  /// - Parameter first: SQL that comes before.
  public func set(
    _ name: String, _ table: String, _ key: String, _ change: String, first: String = ""
  ) -> Tampering<World> {
    Tampering(name, "\(first) \(unguarding(table)) UPDATE \(table) SET \(change) \(row(table, key))", in: table, key)
  }

  /// A row is deleted.
  public func remove(_ name: String, _ table: String, _ key: String, first: String = "") -> Tampering<World> {
    Tampering(name, "\(first) \(unguarding(table)) DELETE FROM \(table) \(row(table, key))", in: table, key)
  }

  /// A row is added that is another one but for some columns.
  public func add(
    _ name: String, _ table: String, _ key: String, like other: String, but changes: [String: String], _ columns: String
  ) -> Tampering<World> {
    let names = columns.split(separator: " ").map(String.init)
    let values = names.map { changes[$0] ?? $0 }.joined(separator: ", ")
    return Tampering(
      name,
      "INSERT INTO \(table) (tenant, \(names.joined(separator: ", "))) SELECT tenant, \(values) FROM \(table) "
        + row(table, other), in: table, key)
  }

  private func row(_ table: String, _ key: String) -> String {
    guard let known = schema.committedTable(named: table) else { preconditionFailure("nothing commits to '\(table)'") }
    let values = key.split(separator: ", ", maxSplits: known.key.count - 1)
    precondition(values.count == known.key.count, "\(table): \(key)")
    return "WHERE tenant = '\(tenant)'" + zip(known.key, values).map { " AND \($0) = '\($1)'" }.joined()
  }

  /// SQL that takes away what keeps an append-only table's rows from being changed.
  private func unguarding(_ table: String) -> String {
    let isGuarded = schema.migrations.contains { $0.sql.contains("{append-only} \(table);") }
    return isGuarded ? engine.unguarding(table) : ""
  }
}
