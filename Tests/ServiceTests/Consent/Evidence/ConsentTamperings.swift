import ConsentContract
import StorageTestKit

/// Ways to change ConsentService's rows by hand, and what the check has to say of each.
struct ConsentTamperings {
  let names: EvidenceWorld.Names
  let engine: TestEngine

  private var record: String { names.withdrawn.recordID }
  private var waiting: String { names.waiting.recordID }
  private var session: String { names.withdrawn.sessionID }
  private var last: Int { names.withdrawn.history.count }
  private var document: String { names.withdrawn.documentID }
  private var forged: String { engine.literal(Array("forged".utf8)) }

  var list: [Tampering] { records + texts + people + sessions + pins + vault + log }

  private func changed(_ name: String, _ sql: String, _ table: String, _ key: String) -> Tampering {
    Tampering(name, sql, Tampering.changed(table, key))
  }
  private func gone(_ name: String, _ sql: String, _ table: String, _ key: String) -> Tampering {
    Tampering(name, sql, Tampering.gone(table, key))
  }
  private func invented(_ name: String, _ sql: String, _ table: String, _ key: String) -> Tampering {
    Tampering(name, sql, Tampering.invented(table, key))
  }

  private var records: [Tampering] {
    let one = "WHERE tenant = 't1' AND id = '\(record)'"
    let (entries, shown) = (engine.unguarding("record_entries"), engine.unguarding("shown"))
    let entry = "WHERE tenant = 't1' AND record_id = '\(record)' AND sequence = \(last)"
    let columns =
      "study_id, site_id, subject_id, session_id, document_id, document_version, version_hash, state, decided_ms, test, body"
    return [
      changed("withdrawal reverted in the column", "UPDATE records SET state = 2 \(one)", "records", record),
      changed(
        "withdrawal reverted in the body",
        "UPDATE records SET body = (SELECT body FROM records WHERE tenant = 't1' AND id = '\(waiting)') \(one)",
        "records",
        record),
      changed("record of another subject", "UPDATE records SET subject_id = 's9' \(one)", "records", record),
      changed("record of another study", "UPDATE records SET study_id = 'lung' \(one)", "records", record),
      changed("record of another version", "UPDATE records SET document_version = 2 \(one)", "records", record),
      changed("record decided earlier", "UPDATE records SET decided_ms = decided_ms - 1 \(one)", "records", record),
      changed("record made a test", "UPDATE records SET test = 1 \(one)", "records", record),
      gone("record deleted", "DELETE FROM records \(one)", "records", record),
      invented(
        "record invented",
        "INSERT INTO records (tenant, id, \(columns)) SELECT tenant, 'r-new', \(columns) FROM records \(one)",
        "records", "r-new"),
      gone(
        "withdrawal's entry deleted", "\(entries) DELETE FROM record_entries \(entry)", "record_entries",
        "\(record), \(last)"),
      changed(
        "entry replaced", "\(entries) UPDATE record_entries SET body = \(forged) \(entry)", "record_entries",
        "\(record), \(last)"),
      invented(
        "entry added", "INSERT INTO record_entries VALUES ('t1', '\(record)', \(last + 1), \(forged))",
        "record_entries",
        "\(record), \(last + 1)"),
      changed(
        "shown bytes replaced",
        "\(shown) UPDATE shown SET content = \(forged) WHERE hash = '\(names.withdrawn.shownHash)'",
        "shown",
        names.withdrawn.shownHash),
      gone(
        "shown bytes deleted", "\(shown) DELETE FROM shown WHERE hash = '\(names.withdrawn.shownHash)'", "shown",
        names.withdrawn.shownHash),
      gone(
        "signing task taken away", "DELETE FROM signing_tasks WHERE tenant = 't1'", "signing_tasks",
        "\(waiting), investigator"),
      changed(
        "signing task of another study", "UPDATE signing_tasks SET study_id = 'lung' WHERE tenant = 't1'",
        "signing_tasks",
        "\(waiting), investigator"),
    ]
  }

  private var texts: [Tampering] {
    let version = "WHERE tenant = 't1' AND document_id = '\(document)' AND version = 1"
    let unguarded = engine.unguarding("text_versions")
    return [
      changed(
        "published text replaced", "UPDATE document_versions SET body = \(forged) \(version)", "document_versions",
        "\(document), 1"),
      changed(
        "version stopped", "UPDATE document_versions SET state = state + 7 \(version)", "document_versions",
        "\(document), 1"),
      changed(
        "new consent demanded", "UPDATE document_versions SET reconsent = 3 \(version)", "document_versions",
        "\(document), 1"),
      changed(
        "date of a new consent moved", "UPDATE document_versions SET reconsent_by_ms = 1 \(version)",
        "document_versions",
        "\(document), 1"),
      gone("version deleted", "DELETE FROM document_versions \(version)", "document_versions", "\(document), 1"),
      changed(
        "document of another study", "UPDATE documents SET study_id = 'lung' WHERE id = '\(document)'", "documents",
        document),
      changed("document's newest version changed", "UPDATE documents SET body = \(forged)", "documents", document),
      changed("flow replaced", "UPDATE flow_versions SET body = \(forged)", "flow_versions", "flow, 1"),
      changed("flow retired", "UPDATE flow_versions SET state = state + 7", "flow_versions", "flow, 1"),
      changed("flow of another study", "UPDATE flows SET study_id = 'lung'", "flows", "flow"),
      changed("overrides replaced", "\(unguarded) UPDATE text_versions SET body = \(forged)", "text_versions", "1"),
      gone("overrides deleted", "\(unguarded) DELETE FROM text_versions", "text_versions", "1"),
      Tampering(
        "guard of overrides taken away", unguarded,
        "the guard 'text_versions_keeps_update' of append-only table 'text_versions' is missing"),
      changed("waiting overrides replaced", "UPDATE pending_texts SET body = \(forged)", "pending_texts", "2"),
      changed(
        "asset replaced", "\(engine.unguarding("assets")) UPDATE assets SET data = \(forged)", "assets", names.asset),
      changed("study's rules changed", "UPDATE studies SET body = \(forged) WHERE id = 'lung'", "studies", "lung"),
      changed("site renamed", "UPDATE sites SET body = \(forged) WHERE id = 'north'", "sites", "heart, north"),
    ]
  }

  private var people: [Tampering] {
    [
      invented(
        "guardian added",
        "INSERT INTO guardians (tenant, study_id, subject_id, guardian_id, body) "
          + "SELECT tenant, study_id, subject_id, 'mallory', body FROM guardians", "guardians", "heart, s2, mallory"),
      gone("guardian removed", "DELETE FROM guardians", "guardians", "heart, s2, gil"),
      changed("guardian's authority changed", "UPDATE guardians SET body = \(forged)", "guardians", "heart, s2, gil"),
      changed("invitation made good again", "UPDATE invitations SET used = 0", "invitations", names.invitation),
      changed(
        "invitation for somebody else", "UPDATE invitations SET body = \(forged)", "invitations", names.invitation),
    ]
  }

  private var sessions: [Tampering] {
    let one = "WHERE tenant = 't1' AND id = '\(session)'"
    return [
      changed("session's outcome changed", "UPDATE sessions SET outcome = outcome + 7 \(one)", "sessions", session),
      changed("session assisted", "UPDATE sessions SET assistant = 'asa', assistance = 1 \(one)", "sessions", session),
      changed("session on other versions", "UPDATE sessions SET documents = \(forged) \(one)", "sessions", session),
      changed("session of another subject", "UPDATE sessions SET subject_id = 's2' \(one)", "sessions", session),
      gone("session deleted", "DELETE FROM sessions \(one)", "sessions", session),
    ]
  }

  private var pins: [Tampering] {
    let unguarded = engine.unguarding("field_pins")
    let one = "WHERE tenant = 't1' AND field_id = '\(names.drawnField)'"
    return [
      changed("pin moved", "\(unguarded) UPDATE field_pins SET revision = 2 \(one)", "field_pins", names.drawnField),
      changed(
        "pin at another place", "\(unguarded) UPDATE field_pins SET place = \(forged) \(one)", "field_pins",
        names.drawnField),
      gone("pin removed", "\(unguarded) DELETE FROM field_pins \(one)", "field_pins", names.drawnField),
      invented(
        "pin added", "INSERT INTO field_pins VALUES ('t1', 'f-new', 1, \(forged), 1)", "field_pins", "f-new"),
    ]
  }

  private var vault: [Tampering] {
    let image = "image/\(record)/participant"
    let items = "WHERE tenant = 't1' AND subject = 's1' AND item"
    return [
      changed(
        "image of a signature replaced", "UPDATE storage_vault_items SET sealed = \(forged) \(items) = '\(image)'",
        "storage_vault_items", "s1, \(image)"),
      gone(
        "image of a signature deleted", "DELETE FROM storage_vault_items \(items) = '\(image)'", "storage_vault_items",
        "s1, \(image)"),
      gone(
        "attempts at the questions forgotten", "DELETE FROM storage_vault_items \(items) LIKE 'attempts/%'",
        "storage_vault_items", "s1, attempts/\(document)/1"),
      changed(
        "subject said to be erased", "UPDATE storage_vault_subjects SET erased_ms = 1 WHERE subject = 's2'",
        "storage_vault_subjects", "s2"),
      changed(
        "retention shortened", "UPDATE storage_vault_policies SET keep_ms = 1 WHERE policy = 'study-heart'",
        "storage_vault_policies", "study-heart"),
    ]
  }

  private var log: [Tampering] {
    let open = engine.unguarding("storage_events")
    return [
      Tampering(
        "event of the withdrawal deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 't1' AND sequence = "
          + "(SELECT max(sequence) - 2 FROM storage_events WHERE tenant = 't1')", "stands where"),
      Tampering(
        "event moved to another subject's stream",
        "\(open) UPDATE storage_events SET stream = 'subject:s9' WHERE tenant = 't1' AND sequence = 9",
        "the hash of event 9 does not match"),
    ]
  }
}
