import Base
import Storage
import StorageTestKit
import Testing

/// What an engine does by itself while a statement runs comes before anybody learns which row was stored: events commit
/// to what a trigger made of it.
@Suite struct PlantedCodeTests {
  /// One way to have the engine change, leave out or hide what a service stores.
  private struct Planting {
    let name: String
    let sql: String
    let removal: String
    let finding: String

    static func list(_ engine: TestEngine) -> [Planting] {
      let trigger = "trigger 'forging' of table 'letters' is from no migration"
      let value = "column 'lifted_ms' of table 'storage_vault_holds' has a value by itself that no migration gave it"
      switch engine {
      case .sqlite:
        let (plain, forged) = ("'lifted_ms INTEGER'", "'lifted_ms INTEGER DEFAULT 1'")
        let edit = { (old: String, new: String) in
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, \(old), \(new)) "
            + "WHERE name = 'storage_vault_holds'"
        }
        return [
          Planting(
            name: "trigger",
            sql: "CREATE TRIGGER forging AFTER INSERT ON letters BEGIN UPDATE letters SET body = 'other' "
              + "WHERE rowid = new.rowid; END",
            removal: "DROP TRIGGER forging", finding: trigger),
          Planting(name: "default value", sql: edit(plain, forged), removal: edit(forged, plain), finding: value),
        ]
      case .postgres:
        let security = "ALTER TABLE letters ENABLE ROW LEVEL SECURITY"
        return [
          Planting(
            name: "trigger",
            sql: "CREATE FUNCTION forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.body = 'other'; "
              + "RETURN NEW; END $$; CREATE TRIGGER forging BEFORE INSERT ON letters FOR EACH ROW "
              + "EXECUTE FUNCTION forge()",
            removal: "DROP FUNCTION forge() CASCADE", finding: trigger),
          Planting(
            name: "rule", sql: "CREATE RULE forging AS ON UPDATE TO letters DO INSTEAD NOTHING",
            removal: "DROP RULE forging ON letters", finding: "rule 'forging' of table 'letters' is from no migration"),
          Planting(
            name: "policy", sql: "CREATE POLICY hiding ON letters USING (id <> 'l-1')",
            removal: "DROP POLICY hiding ON letters",
            finding: "policy 'hiding' of table 'letters' is from no migration"),
          Planting(
            name: "row-level security", sql: security, removal: security.replacing("ENABLE", with: "DISABLE"),
            finding: "table 'letters' has row-level security, which no migration made"),
          Planting(
            name: "default value", sql: "ALTER TABLE storage_vault_holds ALTER lifted_ms SET DEFAULT 1",
            removal: "ALTER TABLE storage_vault_holds ALTER lifted_ms DROP DEFAULT", finding: value),
        ]
      }
    }
  }

  @Test(
    "the check names what changes or hides rows by itself, and no service begins with it",
    arguments: TestEngine.allCases)
  func planted(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    await test.database.close()
    for planting in Planting.list(engine) {
      try await test.location.alter(planting.sql, schema: test.schema.name)
      let tool = try await Database.inspect(test.location, schema: test.schema.name, keys: test.keys)
      let problems = try await tool.check().problems
      await tool.close()
      #expect(problems.count == 1 && problems[0].contains(planting.finding), "\(planting.name): \(problems)")
      let error = await #expect(throws: DatabaseError.self) { try await test.reopen() }
      #expect(
        error?.code == .corrupt && error?.message.contains(planting.finding) == true,
        "\(planting.name): \(error?.message ?? "")")
      try await test.location.alter(planting.removal, schema: test.schema.name)
      await (try test.reopen()).close()
    }
  }

  @Test("tables of others beside a service's keep it from nothing", arguments: TestEngine.allCases)
  func tablesOfOthers(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    await test.database.close()
    let sql =
      switch engine {
      case .sqlite:
        "CREATE TABLE report (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP); CREATE TRIGGER counting "
          + "AFTER INSERT ON report BEGIN DELETE FROM report WHERE id < new.id - 100; END"
      case .postgres:
        "CREATE TABLE report (id SERIAL PRIMARY KEY, at TIMESTAMPTZ DEFAULT now()); "
          + "ALTER TABLE report ENABLE ROW LEVEL SECURITY; CREATE RULE once AS ON UPDATE TO report DO INSTEAD NOTHING"
      }
    try await test.location.alter(sql, schema: test.schema.name)
    await (try test.reopen()).close()
    // The check names them, without a word on the service's own.
    let tool = try await Database.inspect(test.location, schema: test.schema.name, keys: test.keys)
    let problems = try await tool.check().problems
    #expect(!problems.isEmpty && problems.allSatisfy { $0.contains("table 'report'") }, "\(problems)")
    await tool.close()
  }

  @Test("a trigger is found however its table is spelled")
  func spelledOtherwise() async throws {
    let test = try await LetterStore.open(.sqlite)
    await test.database.close()
    try await test.location.alter(
      "CREATE TRIGGER forging AFTER INSERT ON LETTERS BEGIN DELETE FROM letters; END", schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) { try await test.reopen() }
    #expect(error?.message.contains("trigger 'forging'") == true, "\(error?.message ?? "")")
  }

  @Test("a guard that was exchanged keeps a service from beginning", arguments: TestEngine.allCases)
  func exchangedGuard(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    await test.database.close()
    try await test.location.alter(engine.exchangingGuard(of: "stamps"), schema: test.schema.name)
    let error = await #expect(throws: DatabaseError.self) { try await test.reopen() }
    #expect(error?.code == .corrupt && error?.message.contains("is not the one that was made") == true)
  }

  @Test(
    "what a trigger leaves out makes an error, and no event says that it was stored", arguments: TestEngine.allCases)
  func leftOut(engine: TestEngine) async throws {
    let test = try await LetterStore.open(engine)
    let scope = test.database.scope(.named("a"))
    let subject = Subject.named("s-1")
    try await scope.write { try $0.vault.put([1], as: "name", of: subject) }
    let changes: [(action: String, table: String, change: @Sendable (Transaction) throws -> Void)] = [
      ("INSERT", "storage_vault_holds", { try $0.vault.placeHold(on: subject, by: "counsel", reason: "a dispute") }),
      ("INSERT", "storage_vault_policies", { try $0.vault.setPolicy("study", keep: .seconds(1), by: "admin") }),
      ("INSERT", "storage_vault_items", { try $0.vault.put([2], as: "note", of: subject) }),
      ("UPDATE", "storage_vault_subjects", { try $0.vault.erase(subject, by: "admin", reason: "request") }),
    ]
    for (action, table, change) in changes {
      try await test.location.alter(engine.ignoring(action, on: table), schema: test.schema.name)
      let before = try await scope.read { try $0.lastEvent() }
      let error = await #expect(throws: DatabaseError.self, "\(action) \(table)") {
        try await scope.write { try change($0) }
      }
      #expect(
        error?.code == .corrupt && error?.message.contains("something in the database keeps it from that") == true,
        "\(error?.message ?? "")")
      #expect(try await scope.read { try $0.lastEvent() } == before)
      try await test.location.alter(engine.noLongerIgnoring, schema: test.schema.name)
    }
    #expect(try await scope.read { try $0.vault.get("name", of: subject) } == [1])
    #expect(try await test.database.check().problems == [])
  }
}

extension TestEngine {
  /// SQL that has a table ignore what is inserted or changed, and tell nobody.
  fileprivate func ignoring(_ action: String, on table: String) -> String {
    switch self {
    case .sqlite: "CREATE TRIGGER ignoring BEFORE \(action) ON \(table) BEGIN SELECT RAISE(IGNORE); END"
    case .postgres:
      "CREATE FUNCTION ignore() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; "
        + "CREATE TRIGGER ignoring BEFORE \(action) ON \(table) FOR EACH ROW EXECUTE FUNCTION ignore()"
    }
  }

  fileprivate var noLongerIgnoring: String {
    switch self {
    case .sqlite: "DROP TRIGGER ignoring"
    case .postgres: "DROP FUNCTION ignore() CASCADE"
    }
  }
}
