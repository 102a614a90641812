import ConsentContract
import RPC
import SignatureContract
import SignatureService
import Storage
import StorageTestKit
import Testing

/// Ways to change SignatureService's rows by hand, what people do with the same fields afterwards, and what the check
/// has to say of each.
struct SignatureTamperings {
  typealias Case = Tampering<EvidenceWorld>

  let names: EvidenceWorld.Names
  let place: SignaturePlace
  /// A field that was signed in and is not closed, and what is saved in it.
  let field: String
  let drawn: String
  let typed: String
  let engine: TestEngine

  var list: [Case] { fields + signatures }

  /// Signs in the field once more.
  private var again: Case.Change {
    { [field] world in
      let view = try #require(try await world.device.getField(GetFieldRequest(fieldID: field)).view)
      if view.state == .inactive {
        _ = try await world.draw(in: try await world.tap(view))
        return
      }
      let entered = try await world.device.reEnterField(
        ReEnterFieldRequest(fieldID: field, expectedVersion: view.version))
      _ = try await world.draw(in: try #require(entered.view))
    }
  }

  /// What cannot be signed in again is followed by another field of the same session.
  private var other: Case.Change {
    { [again, place] world in
      await #expect(throws: Status.self) { try await again(world) }
      _ = try await world.field(for: place)
    }
  }

  private var rows: TamperedRows<EvidenceWorld> { TamperedRows(engine, SignatureSchema.all, of: .named("t1")) }

  private var fields: [Case] {
    [
      rows.set("field of another study", "fields", field, "study = 'lung'"),
      rows.set("field of another site", "fields", field, "site = 'south'"),
      rows.set("field of another session", "fields", field, "session = 'x'"),
      rows.set("field for another signature", "fields", field, "signature = 'guardian'"),
      rows.set("field for another version", "fields", field, "document_version = 2"),
      rows.set("another revision pinned", "fields", field, "pinned = 2"),
      rows.set("another signature in the field", "fields", field, "current = '\(typed)'"),
      rows.set("revisions counted anew", "fields", field, "revisions = 7"),
      rows.set("field emptied", "fields", field, "state = 1"),
      rows.remove(
        "revision deleted, and its number free again", "signatures", drawn,
        first: "UPDATE fields SET revisions = 0, current = NULL, state = 1 WHERE id = '\(field)';"),
    ].then(again)
      + [
        rows.set("field of another subject", "fields", field, "subject = 's2'"),
        rows.set("field of another device", "fields", field, "holder = 'pad'"),
        rows.set("field closed", "fields", field, "closed = 1"),
        rows.set("revisions forgotten", "fields", field, "revisions = 0"),
        rows.remove("field deleted", "fields", field, first: "DELETE FROM signatures WHERE field = '\(field)';"),
        rows.remove("signature deleted", "signatures", drawn),
      ].then(other)
  }

  private var signatures: [Case] {
    let columns =
      "id field revision kind hash commitment strokes points dropped saved_ms device_ms utc_offset device saved_by mark "
      + "source source_field source_revision drawn_on"
    let ink = "s3, ink:\(drawn)"
    return [
      rows.set("hash of the strokes replaced", "signatures", drawn, "hash = 'ab'"),
      rows.set("signed earlier", "signatures", drawn, "saved_ms = saved_ms - 1"),
      rows.set("signed at another device", "signatures", drawn, "device = 'pad'"),
      rows.set("signed by somebody else", "signatures", drawn, "saved_by = 'mallory'"),
      rows.set("signature replaced", "signatures", drawn, "replaced_ms = 1"),
      rows.set("points dropped", "signatures", drawn, "dropped = 9"),
      rows.set("drawing said to be a name", "signatures", drawn, "kind = 2"),
      rows.set("typed name bound to no commitment", "signatures", typed, "commitment = NULL"),
      rows.add(
        "signature invented", "signatures", "x", like: drawn, but: ["id": "'x'", "revision": "9"], columns),
      rows.set("strokes replaced", "storage_vault_items", ink, "sealed = \(engine.literal([1]))"),
      rows.remove("strokes deleted", "storage_vault_items", ink),
    ].then(again)
  }
}
