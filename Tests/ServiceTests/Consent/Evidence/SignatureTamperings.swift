import StorageTestKit

/// Ways to change SignatureService's rows by hand, and what the check has to say of each.
struct SignatureTamperings {
  let names: EvidenceWorld.Names
  /// The saved signature of the field that was drawn in, and of the one with a typed name.
  let drawn: String
  let typed: String
  let engine: TestEngine

  private var forged: String { engine.literal(Array("forged".utf8)) }

  var list: [Tampering] { fields + signatures + vault }

  private var fields: [Tampering] {
    let one = "WHERE tenant = 't1' AND id = '\(names.drawnField)'"
    func changed(_ name: String, _ change: String) -> Tampering {
      Tampering(name, "UPDATE fields SET \(change) \(one)", Tampering.changed("fields", names.drawnField))
    }
    return [
      changed("field of another subject", "subject = 's2'"), changed("field of another study", "study = 'lung'"),
      changed("field of another site", "site = 'south'"), changed("field of another session", "session = 'x'"),
      changed("field for another signature", "signature = 'guardian'"),
      changed("field for another version", "document_version = 2"), changed("field opened again", "closed = 0"),
      changed("another revision pinned", "pinned = 2"), changed("field emptied", "state = 1"),
      changed("another signature in the field", "current = '\(typed)'"),
      changed("revisions counted anew", "revisions = 7"),
      Tampering(
        "field deleted", "DELETE FROM signatures WHERE field = '\(names.drawnField)'; DELETE FROM fields \(one)",
        Tampering.gone("fields", names.drawnField)),
    ]
  }

  private var signatures: [Tampering] {
    let one = "WHERE tenant = 't1' AND id = '\(drawn)'"
    func changed(_ name: String, _ change: String) -> Tampering {
      Tampering(name, "UPDATE signatures SET \(change) \(one)", Tampering.changed("signatures", drawn))
    }
    return [
      changed("hash of the strokes replaced", "hash = 'ab'"), changed("signed earlier", "saved_ms = saved_ms - 1"),
      changed("signed at another device", "device = 'pad'"), changed("signed by somebody else", "saved_by = 'mallory'"),
      changed("signature replaced", "replaced_ms = 1"), changed("points dropped", "dropped = 9"),
      changed("drawing said to be a name", "kind = 2"),
      Tampering(
        "typed name bound to no commitment", "UPDATE signatures SET commitment = NULL WHERE id = '\(typed)'",
        Tampering.changed("signatures", typed)),
      Tampering("signature deleted", "DELETE FROM signatures \(one)", Tampering.gone("signatures", drawn)),
      Tampering(
        "signature invented",
        "INSERT INTO signatures (tenant, id, field, revision, kind, hash, commitment, strokes, points, dropped, saved_ms, "
          + "device_ms, utc_offset, device, saved_by, mark, source, source_field, source_revision) SELECT tenant, 'x', "
          + "field, 9, kind, hash, commitment, strokes, points, dropped, saved_ms, device_ms, utc_offset, device, "
          + "saved_by, mark, source, source_field, source_revision FROM signatures \(one)",
        Tampering.invented("signatures", "x")),
    ]
  }

  private var vault: [Tampering] {
    [
      Tampering(
        "strokes replaced",
        "UPDATE storage_vault_items SET sealed = \(forged) WHERE subject = 's1' AND item = 'ink:\(drawn)'",
        Tampering.changed("storage_vault_items", "s1, ink:\(drawn)")),
      Tampering(
        "strokes deleted", "DELETE FROM storage_vault_items WHERE subject = 's1' AND item = 'ink:\(drawn)'",
        Tampering.gone("storage_vault_items", "s1, ink:\(drawn)")),
    ]
  }
}
