import Base
import Storage
import StorageTestKit

extension Tampering {
  static func list(_ engine: TestEngine) -> [Tampering] {
    letters(engine) + stamps(engine) + events(engine) + tree(engine) + heads(engine) + vault(engine)
      + schema(engine)
  }

  private static func letters(_ engine: TestEngine) -> [Tampering] {
    let of = { (id: String) in "WHERE tenant = 'a' AND id = '\(id)'" }
    return [
      Tampering("withdrawal reverted", "UPDATE letters SET state = 'given' \(of("l-3"))", changed("letters", "l-3")),
      Tampering("text replaced", "UPDATE letters SET body = 'other' \(of("l-1"))", changed("letters", "l-1")),
      Tampering(
        "picture replaced", "UPDATE letters SET picture = \(engine.literal([9])) \(of("l-2"))",
        changed("letters", "l-2")),
      Tampering("picture removed", "UPDATE letters SET picture = NULL \(of("l-2"))", changed("letters", "l-2")),
      Tampering("number changed", "UPDATE letters SET weight = weight + 1 \(of("l-4"))", changed("letters", "l-4")),
      Tampering("letter deleted", "DELETE FROM letters \(of("l-2"))", gone("letters", "l-2")),
      Tampering(
        "letter invented",
        "INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-9', 'given')",
        "row (l-9) of table 'letters': no event tells of it"),
      Tampering(
        "letter invented for a tenant of whom nothing else is known",
        "INSERT INTO letters (tenant, id, state) VALUES ('nobody', 'l-9', 'given')",
        "tenant 'nobody': row (l-9) of table 'letters': no event tells of it"),
      Tampering(
        "deleted letter put back", "INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-6', 'given')",
        "row (l-6) of table 'letters' is there, and event"),
      Tampering("letter renamed", "UPDATE letters SET id = 'l-0' \(of("l-1"))", gone("letters", "l-1")),
      Tampering(
        "letter duplicated",
        "INSERT INTO letters (tenant, id, state, body) SELECT tenant, 'l-8', state, body FROM letters \(of("l-1"))",
        "row (l-8) of table 'letters': no event tells of it"),
      Tampering(
        "two letters exchanged",
        "UPDATE letters SET body = CASE id WHEN 'l-1' THEN 'body 2' ELSE 'body 1' END "
          + "WHERE tenant = 'a' AND id IN ('l-1', 'l-2')", changed("letters", "l-2")),
      Tampering(
        "letter moved to another tenant", "UPDATE letters SET tenant = 'c' \(of("l-1"))", gone("letters", "l-1")),
      Tampering(
        "second letter under one key",
        "\(engine.droppingKey(of: "letters")) INSERT INTO letters (tenant, id, state) VALUES ('a', 'l-1', 'withdrawn')",
        "row (l-1) of table 'letters' is there more than once"),
      Tampering("all letters deleted", "DELETE FROM letters", gone("letters", "l-5")),
      Tampering(
        "letter as it was before", "UPDATE letters SET state = 'given', seen_ms = NULL \(of("l-3"))",
        "row (l-3) of table 'letters' is not what event 11 committed to"),
    ]
  }

  private static func stamps(_ engine: TestEngine) -> [Tampering] {
    let open = engine.unguarding("stamps")
    let exchanged = "the guard 'stamps_keeps_update' of append-only table 'stamps' is not the one that was made"
    let one = "WHERE tenant = 'a' AND letter = 'l-1'"
    return [
      Tampering("guard taken away", open, "the guard 'stamps_keeps_update' of append-only table 'stamps' is missing"),
      Tampering("guard exchanged", engine.exchangingGuard(of: "stamps"), exchanged),
      Tampering(
        "guard moved to another table", engine.movingGuard(of: "stamps", to: "letters"),
        "the guard 'stamps_keeps_update' of append-only table 'stamps' is missing"),
      Tampering(
        "hash replaced", "\(open) UPDATE stamps SET hash = \(engine.literal([1])) \(one)", changed("stamps", "l-1, 1")),
      Tampering("stamp deleted", "\(open) DELETE FROM stamps \(one)", gone("stamps", "l-1, 1")),
      Tampering("stamp numbered anew", "\(open) UPDATE stamps SET number = 2 \(one)", gone("stamps", "l-1, 1")),
      Tampering(
        "stamp added", "INSERT INTO stamps VALUES ('a', 'l-1', 2, \(engine.literal([1])))",
        "row (l-1, 2) of table 'stamps': no event tells of it"),
    ]
  }

  private static func events(_ engine: TestEngine) -> [Tampering] {
    let open = engine.unguarding("storage_events")
    let one = "WHERE tenant = 'a' AND sequence = 4"
    let wrongHash = "the hash of event 4 does not match"
    let head = "the log's head does not match its last event"
    return [
      Tampering("event's type changed", "\(open) UPDATE storage_events SET type = 'x' \(one)", wrongHash),
      Tampering("event's stream changed", "\(open) UPDATE storage_events SET stream = 'x' \(one)", wrongHash),
      Tampering(
        "event's payload changed", "\(open) UPDATE storage_events SET payload = \(engine.literal([1])) \(one)",
        wrongHash),
      Tampering("event's time changed", "\(open) UPDATE storage_events SET at_ms = at_ms - 1 \(one)", wrongHash),
      Tampering(
        "event's rows changed", "\(open) UPDATE storage_events SET changes = \(engine.literal([0])) \(one)", wrongHash),
      Tampering(
        "event's rows removed",
        "\(open) UPDATE storage_events SET changes = NULL WHERE tenant = 'a' AND changes IS NOT NULL",
        "event 10 is not the one that was hashed into the tree"),
      Tampering(
        "event's hash changed",
        "\(open) UPDATE storage_events SET chain = \(engine.literal(Digest(of: []).bytes)) \(one)",
        wrongHash),
      Tampering(
        "two events exchanged",
        "\(open) UPDATE storage_events SET sequence = 1000 \(one); "
          + "UPDATE storage_events SET sequence = 4 WHERE tenant = 'a' AND sequence = 5; "
          + "UPDATE storage_events SET sequence = 5 WHERE tenant = 'a' AND sequence = 1000", wrongHash),
      Tampering("event deleted", "\(open) DELETE FROM storage_events \(one)", "event 5 stands where 4 belongs"),
      Tampering(
        "first event deleted", "\(open) DELETE FROM storage_events WHERE tenant = 'a' AND sequence = 1",
        "event 2 stands where 1 belongs"),
      Tampering(
        "last event deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 'a' AND sequence = "
          + "(SELECT max(sequence) FROM storage_events WHERE tenant = 'a')", head),
      Tampering(
        "event duplicated",
        "INSERT INTO storage_events (tenant, sequence, stream, type, payload, at_ms, chain) "
          + "SELECT tenant, 900, stream, type, payload, at_ms, chain FROM storage_events \(one)",
        "the hash of event 900 does not match"),
      Tampering(
        "event moved to another tenant", "\(open) UPDATE storage_events SET tenant = 'c' \(one)",
        "tenant 'c': event 4 stands where 1 belongs"),
      Tampering(
        "a tenant's events deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 'b'; DELETE FROM storage_event_heads WHERE tenant = 'b'",
        "tenant 'b': the given head has"),
      Tampering("head's number changed", "UPDATE storage_event_heads SET last = 5 WHERE tenant = 'a'", head),
      Tampering(
        "head's hash changed", "UPDATE storage_event_heads SET chain = \(engine.literal(Digest(of: []).bytes))", head),
      Tampering("head's time changed", "UPDATE storage_event_heads SET last_ms = last_ms + 1", head),
      Tampering("head deleted", "DELETE FROM storage_event_heads WHERE tenant = 'a'", "events without a head"),
      Tampering(
        "event's code removed", "\(open) UPDATE storage_events SET code = NULL \(one)",
        "event 4 is not one that the service wrote"),
      Tampering(
        "head's code removed", "UPDATE storage_event_heads SET code = NULL WHERE tenant = 'a'",
        "the head of its log is not one that the service wrote"),
      Tampering("log's key removed", "DELETE FROM storage_log_keys", "tenant 'a': the key of its log is gone"),
      Tampering(
        "log's key exchanged",
        "UPDATE storage_log_keys SET wrapped = (SELECT k.wrapped FROM storage_log_keys k WHERE k.tenant = 'b') "
          + "WHERE tenant = 'a'", "tenant 'a': the key of its log does not open"),
    ]
  }

  private static func tree(_ engine: TestEngine) -> [Tampering] {
    let open = engine.unguarding("storage_tree_nodes")
    let wrong = engine.literal(Digest(of: [7]).bytes)
    return [
      Tampering(
        "leaf changed", "\(open) UPDATE storage_tree_nodes SET hash = \(wrong) WHERE level = 0 AND position = 2",
        "event 3 is not the one that was hashed into the tree"),
      Tampering(
        "node changed", "\(open) UPDATE storage_tree_nodes SET hash = \(wrong) WHERE level = 1 AND position = 1",
        "node 1 of level 1 is not the hash of its events"),
      Tampering(
        "node deleted", "\(open) DELETE FROM storage_tree_nodes WHERE tenant = 'a' AND level = 1 AND position = 0",
        "its tree lacks nodes of level"),
      Tampering(
        "node added", "INSERT INTO storage_tree_nodes VALUES ('a', 0, 5000, \(wrong))",
        "node 5000 of level 0 has no place in the tree"),
      Tampering("tree shortened", "UPDATE storage_trees SET size = 8 WHERE tenant = 'a'", "events, its tree 8"),
      Tampering("tree deleted", "DELETE FROM storage_trees WHERE tenant = 'a'", "events, its tree 0"),
    ]
  }

  private static func heads(_ engine: TestEngine) -> [Tampering] {
    let open = engine.unguarding("storage_signed_heads")
    let newest = "size = (SELECT max(size) FROM storage_signed_heads WHERE tenant = 'a')"
    let oldest = "size = (SELECT min(size) FROM storage_signed_heads WHERE tenant = 'a')"
    return [
      Tampering(
        "newest signed head deleted", "\(open) DELETE FROM storage_signed_heads WHERE tenant = 'a' AND \(newest)",
        "its newest signed head has"),
      Tampering(
        "signed heads deleted", "\(open) DELETE FROM storage_signed_heads WHERE tenant = 'a'",
        "its newest signed head has 0 events"),
      Tampering(
        "signed heads exchanged",
        "\(open) UPDATE storage_signed_heads SET checkpoint = (SELECT h.checkpoint FROM storage_signed_heads h "
          + "WHERE h.tenant = 'a' AND h.\(oldest)) WHERE tenant = 'a' AND \(newest)", "events is that of"),
      Tampering(
        "signed head of another tenant",
        "\(open) UPDATE storage_signed_heads SET checkpoint = (SELECT h.checkpoint FROM storage_signed_heads h "
          + "WHERE h.tenant = 'b') WHERE tenant = 'a' AND \(oldest)", "/b'"),
      Tampering(
        "signed head scribbled over",
        "\(open) UPDATE storage_signed_heads SET checkpoint = 'x' WHERE tenant = 'a' AND \(newest)", "events is none: "),
      Tampering(
        "signed head moved", "\(open) UPDATE storage_signed_heads SET size = 3 WHERE tenant = 'a' AND \(oldest)",
        "the signed head of 3 events is that of"),
    ]
  }

  private static func vault(_ engine: TestEngine) -> [Tampering] {
    let one = "WHERE tenant = 'a' AND subject = 's-1'"
    let item = "\(one) AND item = 'name'"
    let choice = "(SELECT id FROM storage_vault_commitments \(one))"
    return [
      Tampering("item deleted", "DELETE FROM storage_vault_items \(item)", gone("storage_vault_items", "s-1, name")),
      Tampering(
        "item renamed", "UPDATE storage_vault_items SET item = 'other' \(item)",
        "item 'other' of subject 's-1' does not open"),
      Tampering(
        "item replaced",
        "UPDATE storage_vault_items SET sealed = (SELECT sealed FROM storage_vault_items \(one) "
          + "AND item = 'note') \(item)", changed("storage_vault_items", "s-1, name")),
      Tampering(
        "item's time changed", "UPDATE storage_vault_items SET changed_ms = 0 \(item)",
        changed("storage_vault_items", "s-1, name")),
      Tampering(
        "erasure reverted", "UPDATE storage_vault_subjects SET erased_ms = NULL WHERE tenant = 'a' AND subject = 's-2'",
        changed("storage_vault_subjects", "s-2")),
      Tampering(
        "erasure pretended", "UPDATE storage_vault_subjects SET erased_ms = 1 \(one)",
        changed("storage_vault_subjects", "s-1")),
      Tampering(
        "subject made older", "UPDATE storage_vault_subjects SET created_ms = 1 \(one)",
        changed("storage_vault_subjects", "s-1")),
      Tampering(
        "commitment's digest changed",
        "UPDATE storage_vault_commitments SET digest = \(engine.literal(Digest(of: []).bytes)) \(one)",
        "does not open to its digest"),
      Tampering(
        "commitment's label changed", "UPDATE storage_vault_commitments SET label = 'x' \(one)",
        "of table 'storage_vault_commitments' is not what event"),
      Tampering(
        "commitment deleted", "DELETE FROM storage_vault_commitments \(one)",
        "of table 'storage_vault_commitments' is gone"),
      Tampering(
        "opening removed", "UPDATE storage_vault_commitments SET sealed = NULL \(one)",
        "the data of subject 's-1' has been erased"),
      Tampering(
        "commitment given to another", "UPDATE storage_vault_commitments SET subject = 's-2' WHERE id = \(choice)",
        "1 openings of erased subject 's-2' are left"),
      Tampering(
        "hold lifted", "UPDATE storage_vault_holds SET lifted_by = 'x', lifted_ms = 1 \(one)",
        "of table 'storage_vault_holds' is not what event"),
      Tampering("hold deleted", "DELETE FROM storage_vault_holds \(one)", "of table 'storage_vault_holds' is gone"),
      Tampering(
        "hold given to another", "UPDATE storage_vault_holds SET subject = 's-2' \(one)",
        "of table 'storage_vault_holds' is not what event"),
      Tampering(
        "period shortened", "UPDATE storage_vault_policies SET keep_ms = 1 WHERE tenant = 'a'",
        changed("storage_vault_policies", "study")),
      Tampering(
        "period's beginning changed", "UPDATE storage_vault_retention SET since_ms = 1 \(one)",
        changed("storage_vault_retention", "s-1, study")),
      Tampering(
        "retention deleted", "DELETE FROM storage_vault_retention \(one)", gone("storage_vault_retention", "s-1, study")
      ),
      Tampering(
        "tenant's key exchanged",
        "UPDATE storage_vault_tenants SET wrapped = (SELECT wrapped FROM storage_vault_tenants "
          + "WHERE tenant = 'b') WHERE tenant = 'a'", "does not open: its row was altered"),
      Tampering(
        "tenant's key made older", "UPDATE storage_vault_tenants SET created_ms = 1 WHERE tenant = 'a'",
        changed("storage_vault_tenants", "1")),
    ]
  }

  private static func schema(_ engine: TestEngine) -> [Tampering] {
    let open = engine.unguarding("storage_shapes")
    return [
      Tampering(
        "a table's commitment forgotten", "\(open) DELETE FROM storage_shapes WHERE name = 'letters'",
        "events commit to rows of table 'letters', of which storage_shapes says nothing"),
      Tampering(
        "a column's commitment forgotten",
        "\(open) UPDATE storage_shapes SET columns = 'id|body' WHERE name = 'letters'",
        changed("letters", "l-1")),
      Tampering(
        "what is committed to scribbled over", "\(open) UPDATE storage_shapes SET columns = '*' WHERE name = 'letters'",
        "what is said of table 'letters' cannot be read"),
      Tampering(
        "a table's key taken away", engine.droppingKey(of: "letters"),
        "the key (tenant, id) of table 'letters' is missing"),
      Tampering(
        "a migration's text changed", "UPDATE storage_migrations SET sql = 'SELECT 1' WHERE version = 1",
        "does not match its checksum"),
    ]
  }
}
