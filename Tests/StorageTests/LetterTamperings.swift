import Base
import Storage
import StorageTestKit

/// Ways to change the rows of letters by hand, what a service does with them afterwards, and what the check has to say.
enum LetterTamperings {
  typealias Case = Tampering<Database>

  static func list(_ engine: TestEngine) -> [Case] {
    letters(engine).then(write) + stamps(engine).then(stamp)
      + (events(engine) + tree(engine) + heads(engine)).then(append) + ends(engine).thenRefused(append)
      + vault(engine).then(keep) + schema(engine).then(write)
      + keys(engine).thenRefused(write) + [tenantKey].thenRefused(keep)
  }

  // MARK: What the service does afterwards

  private static func change(
    _ database: Database, _ body: @escaping @Sendable (Transaction) throws -> Void
  ) async throws {
    try await database.scope(.named("a")).write { try body($0) }
  }

  /// Writes letters anew, those that were removed or added, too.
  static let write: Case.Change = { database in
    try await change(database) { transaction in
      for id in ["l-1", "l-2", "l-3", "l-4", "l-6", "l-9"] {
        try transaction.run(LetterStore.insert, id, "written anew", [UInt8](), 1.0)
        transaction.append("letter", Array(id.utf8), to: id)
      }
    }
  }

  private static let stamp: Case.Change = { database in
    try await change(database) { _ = try $0.one(LetterStore.stamp, "l-1", 3, [3]) }
  }

  static let append: Case.Change = { database in try await change(database) { $0.append("more", [9], to: "more") } }

  private static let keep: Case.Change = { database in
    try await change(database) { transaction in
      let subject = Subject.named("s-1")
      try transaction.vault.put(Array("another name".utf8), as: "name", of: subject)
      try transaction.vault.setPolicy("study", keep: .seconds(5), by: "admin")
      try transaction.vault.retain(subject, under: "study")
    }
  }

  // MARK: Cases

  private static func rows(_ engine: TestEngine) -> TamperedRows<Database> {
    TamperedRows(engine, LetterStore.schema, of: .named("a"))
  }

  private static func letters(_ engine: TestEngine) -> [Case] {
    let (rows, exchanged) = (rows(engine), "(SELECT l.body FROM letters l WHERE l.tenant = 'a' AND l.id = 'l-2')")
    return [
      rows.set("withdrawal reverted", "letters", "l-3", "state = 'given', seen_ms = NULL"),
      rows.set("picture removed", "letters", "l-2", "picture = NULL"),
      rows.set("number changed", "letters", "l-4", "weight = weight + 1"),
      rows.set("another letter's text", "letters", "l-1", "body = \(exchanged)"),
      rows.set("letter renamed", "letters", "l-1", "id = 'l-0'"),
      rows.set("letter moved to another tenant", "letters", "l-1", "tenant = 'c'"),
      rows.add("letter duplicated", "letters", "l-8", like: "l-1", but: ["id": "'l-8'"], "id state body"),
      rows.add("deleted letter put back", "letters", "l-6", like: "l-1", but: ["id": "'l-6'"], "id state body"),
      Case(
        "letter invented for a tenant of whom nothing else is known",
        "INSERT INTO letters (tenant, id, state) VALUES ('nobody', 'l-9', 'given')",
        "tenant 'nobody': row (l-9) of table 'letters': no event tells of it"),
      Case("all letters deleted", "DELETE FROM letters", in: "letters", "l-5"),
    ]
  }

  private static func stamps(_ engine: TestEngine) -> [Case] {
    let missing = "the guard 'stamps_keeps_update' of append-only table 'stamps' is missing"
    return [
      Case("guard taken away", engine.unguarding("stamps"), missing),
      Case("guard moved to another table", engine.movingGuard(of: "stamps", to: "letters"), missing),
      Case(
        "guard exchanged", engine.exchangingGuard(of: "stamps"),
        "the guard 'stamps_keeps_update' of append-only table 'stamps' is not the one that was made"),
      rows(engine).remove("stamp deleted", "stamps", "l-1, 1"),
      rows(engine).set("stamp numbered anew", "stamps", "l-1, 1", "number = 2"),
    ]
  }

  private static func events(_ engine: TestEngine) -> [Case] {
    let open = engine.unguarding("storage_events")
    let one = "WHERE tenant = 'a' AND sequence = 4"
    let wrongHash = "the hash of event 4 does not match"
    return [
      Case("event's type changed", "\(open) UPDATE storage_events SET type = 'x' \(one)", wrongHash),
      Case("event's stream changed", "\(open) UPDATE storage_events SET stream = 'x' \(one)", wrongHash),
      Case(
        "event's payload changed", "\(open) UPDATE storage_events SET payload = \(engine.literal([1])) \(one)",
        wrongHash),
      Case("event's time changed", "\(open) UPDATE storage_events SET at_ms = at_ms - 1 \(one)", wrongHash),
      Case(
        "event's rows changed", "\(open) UPDATE storage_events SET changes = \(engine.literal([0])) \(one)", wrongHash),
      Case(
        "event's rows removed",
        "\(open) UPDATE storage_events SET changes = NULL WHERE tenant = 'a' AND changes IS NOT NULL",
        wrongHash),
      Case(
        "event's hash changed",
        "\(open) UPDATE storage_events SET chain = \(engine.literal(Digest(of: []).bytes)) \(one)",
        wrongHash),
      Case(
        "two events exchanged",
        "\(open) UPDATE storage_events SET sequence = 1000 \(one); "
          + "UPDATE storage_events SET sequence = 4 WHERE tenant = 'a' AND sequence = 5; "
          + "UPDATE storage_events SET sequence = 5 WHERE tenant = 'a' AND sequence = 1000", wrongHash),
      Case("event deleted", "\(open) DELETE FROM storage_events \(one)", "event 5 stands where 4 belongs"),
      Case(
        "first event deleted", "\(open) DELETE FROM storage_events WHERE tenant = 'a' AND sequence = 1",
        "event 2 stands where 1 belongs"),
      Case(
        "last event deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 'a' AND sequence = "
          + "(SELECT max(sequence) FROM storage_events WHERE tenant = 'a')", "event 18 stands where 17 belongs"),
      Case(
        "event duplicated",
        "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, chain) "
          + "SELECT tenant, 900, stream, type, payload, at_ms, chain FROM storage_events \(one)",
        "the hash of event 900 does not match"),
      Case(
        "event moved to another tenant", "\(open) UPDATE storage_events SET tenant = 'c' \(one)",
        "tenant 'c': event 4 stands where 1 belongs"),
      Case(
        "a tenant's events deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 'b'; DELETE FROM storage_event_heads WHERE tenant = 'b'",
        "tenant 'b': the given head has", own: "tenant 'b': the signed head has"),
      Case(
        "event's code removed", "\(open) UPDATE storage_events SET code = NULL \(one)",
        "event 4 is not one that the service wrote"),
    ]
  }

  /// What is done to the end of the log and to its key. A service adds nothing to a log whose end is not its own.
  private static func ends(_ engine: TestEngine) -> [Case] {
    let head = "the log's head does not match its last event"
    return [
      Case("head's number changed", "UPDATE storage_event_heads SET last = 5 WHERE tenant = 'a'", head),
      Case(
        "head's hash changed", "UPDATE storage_event_heads SET chain = \(engine.literal(Digest(of: []).bytes))", head),
      Case("head's time changed", "UPDATE storage_event_heads SET last_ms = last_ms + 1", head),
      Case("head deleted", "DELETE FROM storage_event_heads WHERE tenant = 'a'", "events without a head"),
      Case(
        "head's code removed", "UPDATE storage_event_heads SET code = NULL WHERE tenant = 'a'",
        "the head of its log is not one that the service wrote"),
      Case("log's key removed", "DELETE FROM storage_log_keys", "tenant 'a': the key of its log is gone"),
      Case(
        "log's key exchanged",
        "UPDATE storage_log_keys SET wrapped = (SELECT k.wrapped FROM storage_log_keys k WHERE k.tenant = 'b') "
          + "WHERE tenant = 'a'", "tenant 'a': the key of its log does not open"),
    ]
  }

  private static func tree(_ engine: TestEngine) -> [Case] {
    let open = engine.unguarding("storage_tree_nodes")
    let wrong = engine.literal(Digest(of: [7]).bytes)
    return [
      Case(
        "leaf changed", "\(open) UPDATE storage_tree_nodes SET hash = \(wrong) WHERE level = 0 AND position = 2",
        "event 3 is not the one that was hashed into the tree"),
      Case(
        "node changed", "\(open) UPDATE storage_tree_nodes SET hash = \(wrong) WHERE level = 1 AND position = 1",
        "node 1 of level 1 is not the hash of its events"),
      Case(
        "node deleted", "\(open) DELETE FROM storage_tree_nodes WHERE tenant = 'a' AND level = 1 AND position = 0",
        "its tree lacks nodes of level"),
      Case(
        "node added", "INSERT INTO storage_tree_nodes VALUES ('a', 0, 5000, \(wrong))",
        "node 5000 of level 0 has no place in the tree"),
      Case("tree shortened", "UPDATE storage_trees SET size = 8 WHERE tenant = 'a'", "events, its tree 8"),
      Case("tree deleted", "DELETE FROM storage_trees WHERE tenant = 'a'", "events, its tree 0"),
    ]
  }

  private static func heads(_ engine: TestEngine) -> [Case] {
    let open = engine.unguarding("storage_signed_heads")
    let newest = "size = (SELECT max(size) FROM storage_signed_heads WHERE tenant = 'a')"
    let oldest = "size = (SELECT min(size) FROM storage_signed_heads WHERE tenant = 'a')"
    return [
      Case(
        "newest signed head deleted", "\(open) DELETE FROM storage_signed_heads WHERE tenant = 'a' AND \(newest)",
        "its newest signed head has"),
      Case(
        "signed heads deleted", "\(open) DELETE FROM storage_signed_heads WHERE tenant = 'a'",
        "its newest signed head has 0 events"),
      Case(
        "signed heads exchanged",
        "\(open) UPDATE storage_signed_heads SET checkpoint = (SELECT h.checkpoint FROM storage_signed_heads h "
          + "WHERE h.tenant = 'a' AND h.\(oldest)) WHERE tenant = 'a' AND \(newest)", "events is that of"),
      Case(
        "signed head of another tenant",
        "\(open) UPDATE storage_signed_heads SET checkpoint = (SELECT h.checkpoint FROM storage_signed_heads h "
          + "WHERE h.tenant = 'b') WHERE tenant = 'a' AND \(oldest)", "/b'"),
      Case(
        "signed head scribbled over",
        "\(open) UPDATE storage_signed_heads SET checkpoint = 'x' WHERE tenant = 'a' AND \(newest)", "events is none: "),
      Case(
        "signed head moved", "\(open) UPDATE storage_signed_heads SET size = 3 WHERE tenant = 'a' AND \(oldest)",
        "the signed head of 3 events is that of"),
    ]
  }

  private static func vault(_ engine: TestEngine) -> [Case] {
    let (rows, one) = (rows(engine), "WHERE tenant = 'a' AND subject = 's-1'")
    let (items, subjects, commitments) = ("storage_vault_items", "storage_vault_subjects", "storage_vault_commitments")
    return [
      rows.remove("item deleted", items, "s-1, name"),
      rows.set("item's time changed", items, "s-1, name", "changed_ms = 0"),
      rows.set("item renamed", items, "s-1, name", "item = 'other'"),
      rows.set("erasure reverted", subjects, "s-2", "erased_ms = NULL"),
      rows.set("subject made older", subjects, "s-1", "created_ms = 1"),
      Case(
        "commitment's digest changed",
        "UPDATE \(commitments) SET digest = \(engine.literal(Digest(of: []).bytes)) \(one)",
        "does not open to its digest"),
      Case(
        "commitment's label changed", "UPDATE \(commitments) SET label = 'x' \(one)",
        "of table '\(commitments)' is not what event"),
      Case("commitment deleted", "DELETE FROM \(commitments) \(one)", "of table '\(commitments)' is gone"),
      Case(
        "opening removed", "UPDATE \(commitments) SET sealed = NULL \(one)",
        "the data of subject 's-1' has been erased"),
      Case(
        "commitment given to another", "UPDATE \(commitments) SET subject = 's-2' \(one)",
        "1 openings of erased subject 's-2' are left"),
      rows.set("period's beginning changed", "storage_vault_retention", "s-1, study", "since_ms = 1"),
      rows.remove("retention deleted", "storage_vault_retention", "s-1, study"),
      rows.set("tenant's key made older", "storage_vault_tenants", "1", "created_ms = 1"),
    ]
  }

  private static func schema(_ engine: TestEngine) -> [Case] {
    let open = engine.unguarding("storage_shapes")
    let said = "storage_shapes: what is said of table 'letters' is not what the program says"
    return [
      Case(
        "a table's commitment forgotten", "\(open) DELETE FROM storage_shapes WHERE name = 'letters'",
        "events commit to rows of table 'letters', of which storage_shapes says nothing", own: said),
      Case(
        "a column's commitment forgotten",
        "\(open) UPDATE storage_shapes SET columns = 'id|body' WHERE name = 'letters'",
        "row (l-1) of table 'letters'", own: said),
      Case(
        "what is committed to scribbled over", "\(open) UPDATE storage_shapes SET columns = '*' WHERE name = 'letters'",
        "what is said of table 'letters' cannot be read"),
      Case(
        "a migration's text changed", "UPDATE storage_migrations SET sql = 'SELECT 1' WHERE version = 1",
        "does not match its checksum"),
    ]
  }

  private static let tenantKey = Case(
    "tenant's key exchanged",
    "UPDATE storage_vault_tenants SET wrapped = (SELECT wrapped FROM storage_vault_tenants WHERE tenant = 'b') "
      + "WHERE tenant = 'a'", "does not open: its row was altered")

  /// What is done to keys of tables, which the service needs for its change.
  private static func keys(_ engine: TestEngine) -> [Case] {
    [
      Case(
        "second letter under one key",
        "\(engine.droppingKey(of: "letters")) INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-1', 'withdrawn')",
        "row (l-1) of table 'letters' is there more than once"),
      Case(
        "a table's key taken away", engine.droppingKey(of: "letters"),
        "the key (tenant, id) of table 'letters' is missing"),
    ]
  }
}
