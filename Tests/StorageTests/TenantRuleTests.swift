import Storage
import Testing

@Suite struct TenantRuleTests {
  static let refused: [(sql: String, why: String)] = [
    ("SELECT * FROM notes", "the statement never mentions {tenant}"),
    ("SELECT id FROM notes WHERE id = {tenant}", "table 'notes' is not tied to the tenant"),
    ("SELECT id FROM notes WHERE tenant = {tenant} OR 1 = 1", "put OR in parentheses"),
    ("SELECT id FROM notes WHERE (tenant = {tenant} OR 1 = 1)", "is not tied"),
    ("SELECT id FROM notes WHERE NOT tenant = {tenant}", "is not tied"),
    ("SELECT id FROM notes WHERE tenant = {tenant} = 0", "is not tied"),
    ("SELECT id FROM notes WHERE 1 = tenant = {tenant}", "is not tied"),
    ("SELECT id FROM notes WHERE place BETWEEN 0 AND tenant = {tenant}", "BETWEEN"),
    ("SELECT id FROM notes WHERE tenant = {tenant} || ''", "is not tied"),
    ("SELECT id FROM notes WHERE tenant <> {tenant}", "is not tied"),
    ("SELECT n.id FROM notes n, comments c WHERE n.tenant = {tenant}", "table 'comments' is not tied"),
    ("SELECT n.id FROM notes n, comments c WHERE tenant = {tenant}", "is not tied"),
    ("SELECT n.id FROM notes n JOIN comments c ON c.note = n.id WHERE n.tenant = {tenant}", "'comments' is not tied"),
    ("SELECT n.id FROM notes n LEFT JOIN comments c ON n.tenant = {tenant} AND c.tenant = {tenant}", "'notes'"),
    ("SELECT n.id FROM notes n CROSS JOIN comments c WHERE n.tenant = {tenant}", "CROSS"),
    ("SELECT n.id FROM notes n NATURAL JOIN comments c WHERE n.tenant = {tenant}", "NATURAL"),
    ("SELECT n.id FROM notes n FULL JOIN comments c ON c.tenant = {tenant} WHERE n.tenant = {tenant}", "FULL"),
    ("SELECT (SELECT count(*) FROM comments) FROM notes WHERE tenant = {tenant}", "'comments' is not tied"),
    ("SELECT id FROM notes WHERE tenant = {tenant} AND id IN (SELECT note FROM comments)", "'comments'"),
    ("SELECT id FROM (SELECT id FROM notes) x WHERE x.tenant = {tenant}", "'notes'"),
    ("SELECT id FROM notes WHERE tenant = {tenant} UNION SELECT id FROM notes", "'notes' is not tied"),
    ("WITH x AS (SELECT id FROM notes) SELECT id FROM x WHERE tenant = {tenant}", "'notes' is not tied"),
    ("WITH notes2 AS (SELECT {tenant}) SELECT id FROM notes", "'notes' is not tied"),
    ("SELECT id FROM notes WHERE tenant = {tenant} ORDER BY (SELECT max(number) FROM comments)", "'comments'"),
    ("SELECT id FROM \"notes\" WHERE tenant = {tenant}", "a table is a plain name"),
    ("SELECT id FROM notes WHERE tenant = {tenant}; DELETE FROM notes", "one statement at a time"),
    ("SELECT id FROM notes /* WHERE */ WHERE tenant = {tenant}", "comments belong in Swift"),
    ("SELECT id FROM notes -- x\n WHERE tenant = {tenant}", "comments belong in Swift"),
    ("INSERT INTO notes (id, tenant) VALUES (?, {tenant})", "the first inserted column is tenant"),
    ("INSERT INTO notes (tenant, id) VALUES (?, {tenant})", "the first inserted value is {tenant}"),
    ("INSERT INTO notes (tenant, id) VALUES ({tenant}, ?), (?, ?)", "the first inserted value is {tenant}"),
    ("INSERT INTO notes (tenant, id) SELECT tenant, id FROM notes WHERE tenant = {tenant}", "SELECT {tenant}"),
    ("INSERT INTO notes (tenant, id) SELECT {tenant}, id FROM notes", "'notes' is not tied"),
    ("INSERT INTO notes (tenant, id) VALUES ({tenant}, ?) ON CONFLICT (id) DO UPDATE SET id = ?", "ON CONFLICT"),
    (
      "INSERT INTO notes (tenant, id) VALUES ({tenant}, ?) ON CONFLICT (tenant, id) DO UPDATE SET tenant = ?",
      "never changes its tenant"
    ),
    ("UPDATE notes SET tenant = ? WHERE tenant = {tenant}", "never changes its tenant"),
    ("UPDATE notes SET place = 1, tenant = ? WHERE tenant = {tenant}", "never changes its tenant"),
    ("UPDATE notes SET (tenant, place) = (?, 1) WHERE tenant = {tenant}", "never changes its tenant"),
    ("UPDATE notes SET place = 1 WHERE id = {tenant}", "'notes' is not tied"),
    ("UPDATE notes SET place = c.number FROM comments c WHERE notes.tenant = {tenant}", "'comments' is not tied"),
    ("UPDATE notes SET place = (SELECT max(number) FROM comments) WHERE tenant = {tenant}", "'comments'"),
    ("DELETE FROM notes WHERE place = 1 AND {tenant} = {tenant}", "'notes' is not tied"),
    ("DELETE FROM notes USING comments WHERE notes.tenant = {tenant}", ""),
    ("DROP TABLE notes {tenant}", "begins with SELECT"),
    ("ATTACH {tenant} AS other", "begins with SELECT"),
    ("SELECT id FROM storage_events WHERE tenant = {tenant}", "Storage's own"),
    ("INSERT INTO storage_events (tenant) VALUES ({tenant})", "Storage's own"),
    ("SELECT id FROM notes WHERE tenant = {tenant} AND {sometime}", "{sometime} is not one of"),
    ("SELECT id FROM notes WHERE tenant = {tenant", "'{' without '}'"),
    ("SELECT (id FROM notes WHERE tenant = {tenant}", "'(' without ')'"),
    ("SELECT 'id FROM notes WHERE tenant = {tenant}", "is not closed"),
  ]

  @Test("a statement that could reach another tenant's rows cannot be defined", arguments: refused)
  func refuses(sql: String, why: String) {
    let problem = #expect(throws: SQLProblem.self) { try Statement(checking: "test", sql) }
    #expect(why.isEmpty || problem?.description.contains(why) == true, "\(problem?.description ?? "")")
  }

  @Test(
    "a statement that is tied to the tenant is accepted",
    arguments: [
      "SELECT id FROM notes WHERE tenant = {tenant}",
      "SELECT id FROM notes AS n WHERE n.tenant = {tenant} AND (place = 1 OR place = 2)",
      "SELECT n.id FROM notes n LEFT JOIN comments c ON c.tenant = {tenant} AND c.note = n.id WHERE n.tenant = {tenant}",
      "SELECT n.id FROM notes n, comments c WHERE n.tenant = {tenant} AND c.tenant = {tenant} AND c.note = n.id",
      "SELECT id FROM notes WHERE tenant = {tenant} AND body IS DISTINCT FROM ?",
      "WITH RECURSIVE x AS (SELECT id FROM notes WHERE tenant = {tenant}) SELECT id FROM x",
      "SELECT id FROM notes WHERE tenant = {tenant} UNION ALL SELECT note FROM comments WHERE tenant = {tenant}",
      "INSERT INTO notes (tenant, id) SELECT {tenant}, note FROM comments WHERE tenant = {tenant}",
      "UPDATE notes SET place = c.number FROM comments c WHERE notes.tenant = {tenant} AND c.tenant = {tenant}",
      "DELETE FROM notes WHERE tenant = {tenant} RETURNING id",
      "SELECT id FROM notes WHERE tenant = {tenant} AND EXISTS (SELECT 1 FROM comments c WHERE c.tenant = {tenant})",
    ])
  func accepts(sql: String) throws {
    _ = try Statement(checking: "test", sql)
  }

  @Test(
    "a table whose rows or keys could cross tenants cannot be defined",
    arguments: [
      ("CREATE TABLE x (id TEXT NOT NULL, PRIMARY KEY (id))", "begins with 'tenant TEXT NOT NULL'"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, id TEXT, PRIMARY KEY (id))", "every key begins with tenant"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, id TEXT PRIMARY KEY)", "keys are declared for the table"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, id TEXT UNIQUE, PRIMARY KEY (tenant, id))", "keys are declared"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, id TEXT, PRIMARY KEY (tenant, id), UNIQUE (id))", "every key begins"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, id TEXT)", "has no primary key"),
      ("CREATE TABLE x (tenant TEXT NOT NULL, y TEXT REFERENCES y, PRIMARY KEY (tenant, y))", "keys are declared"),
      ("CREATE UNIQUE INDEX x ON notes (id)", "a unique index begins with tenant"),
      ("CREATE TABLE storage_x (tenant TEXT NOT NULL, PRIMARY KEY (tenant))", "Storage's own"),
      ("CREATE TRIGGER x", "only tables and indexes"),
    ])
  func schemaRule(sql: String, why: String) {
    let problem = #expect(throws: SQLProblem.self) { try Migration(checking: 1, "test", sql) }
    #expect(problem?.description.contains(why) == true, "\(problem?.description ?? "")")
  }
}
