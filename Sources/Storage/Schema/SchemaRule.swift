/// The rule that every table has the tenant as its first column and first in every key, so that keys of different
/// tenants cannot collide, nor refer to each other's rows.
enum SchemaRule {
  static func check(_ tokens: [SQLToken]) throws(SQLProblem) {
    let nodes = try SQLNode.parse(tokens)
    guard let first = nodes.first, first.isKeyword("CREATE"), nodes.count > 2 else { return }
    if nodes[1].isKeyword("TABLE") { return try checkTable(nodes) }
    if nodes[1].isKeyword("UNIQUE") {
      guard let columns = nodes.compactMap(\.group).first, columns.first?.word == "tenant" else {
        throw SQLProblem("a unique index begins with tenant")
      }
      return
    }
    guard nodes[1].isKeyword("INDEX") else { throw SQLProblem("only tables and indexes are created") }
  }

  private static func checkTable(_ nodes: [SQLNode]) throws(SQLProblem) {
    guard let table = nodes[2].word, nodes.count > 3, let definitions = nodes[3].group else {
      throw SQLProblem("CREATE TABLE wants a name and its columns")
    }
    if table.hasPrefix("storage_") { throw SQLProblem("names that begin with storage_ are Storage's own") }
    let parts = definitions.split { $0.isSymbol(",") }
    guard let first = parts.first, first.prefix(4).compactMap(\.word) == ["tenant", "text", "not", "null"] else {
      throw SQLProblem("table '\(table)' begins with 'tenant TEXT NOT NULL'")
    }
    var hasPrimaryKey = false
    for part in parts {
      let isConstraint = part.first?.isKeyword(among: ["PRIMARY", "UNIQUE", "FOREIGN"]) == true
      guard isConstraint else {
        if part.contains(where: { $0.isKeyword(among: ["PRIMARY", "UNIQUE", "REFERENCES"]) }) {
          throw SQLProblem("table '\(table)': keys are declared for the table, tenant first, not for a column")
        }
        continue
      }
      hasPrimaryKey = hasPrimaryKey || part.first?.isKeyword("PRIMARY") == true
      guard part.compactMap(\.group).allSatisfy({ $0.first?.word == "tenant" }) else {
        throw SQLProblem("table '\(table)': every key begins with tenant")
      }
    }
    guard hasPrimaryKey else { throw SQLProblem("table '\(table)' has no primary key") }
  }
}
