import ConsentContract
import ConsentService
import RPC
import Storage
import StorageTestKit
import Testing

/// Ways to change ConsentService's rows by hand, what people do with the same objects afterwards, and what the check
/// has to say of each.
struct ConsentTamperings {
  typealias Case = Tampering<EvidenceWorld>

  let names: EvidenceWorld.Names
  let more: EvidenceWorld.MoreNames
  let engine: TestEngine

  private var record: String { names.withdrawn.recordID }
  private var waiting: String { names.waiting.recordID }
  private var document: String { names.withdrawn.documentID }
  private var forged: String { engine.literal(Array("forged".utf8)) }

  var list: [Case] { records + copies + texts + settings + people + sessions + vault + sending + log }

  private var rows: TamperedRows<EvidenceWorld> { TamperedRows(engine, ConsentSchema.all, of: .named("t1")) }

  // MARK: What people do

  private var share: Case.Change {
    { [waiting] world in
      _ = try await world.consent.app.records.updateSharing(
        UpdateSharingRequest(recordID: waiting, sharing: .investigatorOnly))
    }
  }

  private var withdraw: Case.Change {
    { [waiting] world in
      _ = try await world.consent.app.records.withdrawConsent(WithdrawConsentRequest(recordID: waiting))
    }
  }

  private var sign: Case.Change { { [names] world in _ = try await world.counterSign(names.waiting) } }

  private let draft: Case.Change = { world in _ = try await world.consent.publish(EvidenceWorld.nextContent("Third")) }

  private let redraft: Case.Change = { world in _ = try await world.draftFlow("Third") }

  private let approve: Case.Change = { world in
    _ = try await world.consent.client("ada", ["admin@*"]).studies.setTexts(EvidenceWorld.words("Read that"))
  }

  private let erase: Case.Change = { world in
    _ = try await world.consent.admin.records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
  }

  private let free: Case.Change = { world in
    let records = world.consent.admin.records
    _ = try await records.setLegalHold(SetLegalHoldRequest(subjectID: "s1", held: false, reason: "settled"))
    _ = try await records.eraseSubject(EraseSubjectRequest(subjectID: "s1", reason: "asked for"))
  }

  private var revoke: Case.Change {
    { [names] world in
      _ = try await world.consent.coordinator.studies.revokeInvitation(
        RevokeInvitationRequest(code: names.invitation))
    }
  }

  private let site: Case.Change = { world in
    let site = StudySite(studyID: World.study, siteID: "north", name: "Far north")
    _ = try await world.consent.admin.studies.updateSite(UpdateSiteRequest(site: site))
  }

  private let keepLonger: Case.Change = { world in
    let study = ConsentStudy(studyID: World.study, name: "Heart", retentionDays: 4000)
    _ = try await world.consent.admin.studies.updateStudy(UpdateStudyRequest(study: study))
  }

  /// Somebody is on hold, which is a change of their person.
  private func hold(_ subject: String) -> Case.Change {
    { world in
      _ = try await world.consent.admin.records.setLegalHold(
        SetLegalHoldRequest(subjectID: subject, held: true, reason: "a doubt"))
    }
  }

  /// What the service refuses with its eyes on the damage, and what follows all the same.
  private func refused(_ change: @escaping Case.Change, then other: @escaping Case.Change) -> Case.Change {
    { world in
      await #expect(throws: Status.self) { try await change(world) }
      try await other(world)
    }
  }

  // MARK: Cases

  private var records: [Case] {
    let kept = names.waiting.history.count
    let (newest, middle, added) = ("\(waiting), \(kept)", "\(waiting), 2", "\(waiting), \(kept + 1)")
    let columns =
      "id study_id site_id subject_id session_id document_id document_version version_hash state decided_ms test body"
    let shown = names.waiting.shownHash
    let task = "\(waiting), investigator"
    return [
      rows.set("record of another study", "records", waiting, "study_id = 'lung'"),
      rows.set("record of another site", "records", waiting, "site_id = 'south'"),
      rows.set("record of another version", "records", waiting, "document_version = 2"),
      rows.set("record decided earlier", "records", waiting, "decided_ms = decided_ms - 1"),
      rows.set("record made a test", "records", waiting, "test = 1"),
      rows.set("record withdrawn by nobody", "records", waiting, "state = 4"),
    ].then(share)
      + [
        rows.set("record of another subject", "records", waiting, "subject_id = 's9'"),
        rows.remove("record deleted", "records", waiting),
        rows.remove("newest entry deleted", "record_entries", newest),
        rows.remove("middle entry deleted", "record_entries", middle),
        rows.remove(
          "newest entry deleted, and the list shortened", "record_entries", newest,
          first: "UPDATE storage_lists SET count = \(kept - 1) WHERE list LIKE '%\(waiting)%';"),
        rows.set("entry replaced", "record_entries", newest, "body = \(forged)"),
        rows.add(
          "entry added", "record_entries", added, like: newest, but: ["sequence": "\(kept + 1)"],
          "record_id sequence body"),
      ].then(refused(share, then: hold("s2")))
      + [
        rows.add("record invented", "records", "r-new", like: waiting, but: ["id": "'r-new'"], columns)
      ].then(refused(share, then: hold("s3")))
      + [
        rows.set("shown bytes replaced", "shown", shown, "content = \(forged)"),
        rows.remove("shown bytes deleted", "shown", shown),
      ].then(sign)
      + [
        rows.remove("signing task taken away", "signing_tasks", task),
        rows.set("signing task of another study", "signing_tasks", task, "study_id = 'lung'"),
      ].then(withdraw) + withdrawals
  }

  /// Of a record that was withdrawn: what takes the withdrawal back. Somebody wants to withdraw again.
  private var withdrawals: [Case] {
    let again: Case.Change = { [record] world in
      _ = try await world.consent.app.records.withdrawConsent(WithdrawConsentRequest(recordID: record))
    }
    return [
      rows.remove("withdrawal's entry deleted", "record_entries", "\(record), \(names.withdrawn.history.count)")
    ].then(refused(again, then: free))
      + [
        rows.set("withdrawal reverted", "records", record, "state = 2"),
        rows.remove("newest decision deleted", "decisions", "\(names.withdrawn.subjectID), 2"),
        rows.set("decision of another study", "decisions", "\(names.withdrawn.subjectID), 1", "study_id = 'lung'"),
      ].then(again)
  }

  private var copies: [Case] {
    let retry: Case.Change = { [record] world in
      _ = try await world.consent.investigator.records.retrySignedCopy(RetrySignedCopyRequest(recordID: record))
    }
    return [
      rows.remove("signed copy deleted", "signed_copies", record),
      rows.set("signed copy of another name", "signed_copies", record, "code = 'x'"),
      rows.set("signed copy in another state", "signed_copies", record, "state = 9"),
    ].then(refused(retry, then: free))
      + [
        rows.set("signed copy replaced", "signed_copies", record, "body = \(forged)")
      ].then(refused(retry, then: hold("s3")))
  }

  private var texts: [Case] {
    let (first, second) = ("\(document), 1", "\(document), 2")
    return [
      rows.set("published text replaced", "document_versions", first, "body = \(forged)"),
      rows.set("version stopped", "document_versions", first, "state = state + 7"),
      rows.set("new consent demanded", "document_versions", first, "reconsent = 3"),
      rows.set("version of another hash", "document_versions", first, "version_hash = 'ab'"),
      rows.remove("first version deleted", "document_versions", first),
      rows.remove("newest version deleted", "document_versions", second),
      rows.set("document of another study", "documents", document, "study_id = 'lung'"),
      rows.remove("document deleted", "documents", document),
    ].then(draft)
      + [
        rows.set("document's newest version changed", "documents", document, "body = \(forged)")
      ].then(refused(draft, then: keepLonger))
      + [
        rows.set("flow replaced", "flow_versions", "flow, 1", "body = \(forged)"),
        rows.set("flow retired", "flow_versions", "flow, 1", "state = state + 7"),
        rows.remove("first flow deleted", "flow_versions", "flow, 1"),
        rows.remove("newest flow deleted", "flow_versions", "flow, 2"),
        rows.set("flow of another study", "flows", "flow", "study_id = 'lung'"),
      ].then(redraft)
  }

  private var settings: [Case] {
    [
      rows.remove("overrides deleted", "text_versions", "1"),
      rows.remove("waiting overrides deleted", "pending_texts", "2"),
      Case(
        "guard of overrides taken away", engine.unguarding("text_versions"),
        "the guard 'text_versions_keeps_update' of append-only table 'text_versions' is missing"),
    ].then(approve)
      + [
        rows.set("overrides replaced", "text_versions", "1", "body = \(forged)"),
        rows.set("waiting overrides replaced", "pending_texts", "2", "body = \(forged)"),
      ].then(refused(approve, then: keepLonger))
      + [
        rows.set("asset replaced", "assets", names.asset, "data = \(forged)"),
        rows.remove("asset deleted", "assets", names.asset),
      ].then { world in
        _ = try await world.consent.publisher.documents.createAsset(
          CreateAssetRequest(kind: .png, data: EvidenceWorld.image))
      }
      + [
        rows.set("study's rules changed", "studies", "heart", "body = \(forged)")
      ].then(refused(keepLonger, then: site))
      + [
        rows.remove("study deleted", "studies", "heart")
      ].then { world in
        _ = try await world.consent.admin.studies.createStudy(
          CreateStudyRequest(study: ConsentStudy(studyID: "heart", name: "Another heart")))
      }
      + [
        rows.set("retention shortened", "storage_vault_policies", "study-heart", "keep_ms = 1")
      ].then(keepLonger)
      + [
        rows.set("site renamed", "sites", "heart, north", "body = \(forged)")
      ].then(refused(site, then: keepLonger))
      + [
        rows.remove("site deleted", "sites", "heart, north")
      ].then { world in
        _ = try await world.consent.admin.studies.createSite(
          CreateSiteRequest(site: StudySite(studyID: World.study, siteID: "north", name: "North")))
      }
  }

  private var people: [Case] {
    func guardian(_ name: String, _ isRemoved: Bool) -> Case.Change {
      { world in
        let request = SetGuardianRequest(
          studyID: World.study, subjectID: "s2", guardianID: name, authority: .parent, removed: isRemoved)
        _ = try await world.consent.coordinator.studies.setGuardian(request)
      }
    }
    let (gil, mallory) = ("heart, s2, gil", "heart, s2, mallory")
    return [
      rows.add(
        "guardian added", "guardians", mallory, like: gil, but: ["guardian_id": "'mallory'"],
        "study_id subject_id guardian_id body")
    ].then(guardian("mallory", true))
      + [
        rows.remove("guardian removed", "guardians", gil)
      ].then(guardian("gil", false))
      + [
        rows.set("guardian's authority changed", "guardians", gil, "body = \(forged)")
      ].then(refused(guardian("gil", false), then: hold("s2")))
      + [
        rows.set("invitation made good again", "invitations", names.invitation, "session_id = ''")
      ].then(revoke)
      + [
        rows.remove("invitation deleted", "invitations", names.invitation),
        rows.set("invitation for somebody else", "invitations", names.invitation, "body = \(forged)"),
      ].then(refused(revoke, then: hold("s3")))
      + [
        Case("account merged", "INSERT INTO merged_accounts VALUES ('t1', 's2', 's1')", in: "merged_accounts", "s2")
      ].then(refused({ world in try await world.consent.merge("s2", into: "s4") }, then: hold("s2")))
  }

  private var sessions: [Case] {
    let abandon: Case.Change = { [more] world in
      _ = try await world.consent.app.sessions.abandonSession(AbandonSessionRequest(sessionID: more.session))
    }
    return [
      rows.set("session's outcome changed", "sessions", more.session, "outcome = outcome + 7"),
      rows.set("session assisted", "sessions", more.session, "assistant = 'asa', assistance = 1"),
      rows.set("session of another subject", "sessions", more.session, "subject_id = 's2'"),
      rows.set("session made a test", "sessions", more.session, "test = 1"),
      rows.set("session prolonged", "sessions", more.session, "expires_ms = expires_ms + 1"),
    ].then(abandon)
      + [
        rows.set("session on other versions", "sessions", more.session, "documents = \(forged)"),
        rows.remove("session deleted", "sessions", more.session),
      ].then(refused(abandon, then: hold("s3")))
  }

  private var vault: [Case] {
    let (items, subjects, image) = ("storage_vault_items", "storage_vault_subjects", "s1, image/\(record)/participant")
    let holds = "of table 'storage_vault_holds'"
    return [
      rows.set("image of a signature replaced", items, image, "sealed = \(forged)"),
      rows.remove("image of a signature deleted", items, image),
      rows.remove("attempts at the questions forgotten", items, "s1, attempts/\(document)/1"),
    ].then(free)
      + [
        Case("hold lifted", "UPDATE storage_vault_holds SET lifted_by = 'x', lifted_ms = 1", holds),
        Case("hold deleted", "DELETE FROM storage_vault_holds", holds),
        Case("hold on somebody else", "UPDATE storage_vault_holds SET subject = 's2'", holds),
      ].then(erase)
      + [
        rows.set("subject said to be erased", subjects, "s2", "erased_ms = 1")
      ].then(withdraw)
      + [
        rows.set("pin moved", "field_pins", names.drawnField, "revision = 2"),
        rows.set("pin at another place", "field_pins", names.drawnField, "place = \(forged)"),
        rows.remove("pin removed", "field_pins", names.drawnField),
        Case("pin added", "INSERT INTO field_pins VALUES ('t1', 'f-new', 1, \(forged), 1)", in: "field_pins", "f-new"),
      ].then(sign)
  }

  /// What is sent elsewhere: jobs and webhooks.
  private var sending: [Case] {
    let hook: Case.Change = { [more] world in
      let webhook = Webhook(webhookID: more.webhook, url: "https://app.example/other", kinds: ["consent"])
      _ = try await world.consent.admin.webhooks.updateWebhook(UpdateWebhookRequest(webhook: webhook))
    }
    return [
      Case(
        "job forged",
        "INSERT INTO storage_jobs (tenant, id, kind, payload, state, due_ms, attempts, created_ms) "
          + "VALUES ('t1', 'j-new', 'erase', \(forged), 0, 0, 0, 0)", "job 'j-new' of kind 'erase' is not one"),
      Case(
        "job altered", "UPDATE storage_jobs SET payload = \(forged) WHERE state = 0",
        "is not one that the service queued"),
    ].then(free)
      + [
        rows.set("webhook's address changed", "webhooks", more.webhook, "url = 'https://mallory.example'"),
        rows.set("webhook's kinds changed", "webhooks", more.webhook, "kinds = 'consent.draft_changed'"),
        rows.set("webhook disabled", "webhooks", more.webhook, "active = 0"),
      ].then(hook)
      + [
        rows.remove("webhook deleted", "webhooks", more.webhook)
      ].then { world in
        let webhook = Webhook(url: "https://app.example/assent", kinds: ["consent"])
        _ = try await world.consent.admin.webhooks.createWebhook(CreateWebhookRequest(webhook: webhook))
      }
  }

  private var log: [Case] {
    let open = engine.unguarding("storage_events")
    return [
      Case(
        "event of the withdrawal deleted",
        "\(open) DELETE FROM storage_events WHERE tenant = 't1' AND sequence = "
          + "(SELECT max(sequence) - 2 FROM storage_events WHERE tenant = 't1')", "stands where"),
      Case(
        "event moved to another subject's stream",
        "\(open) UPDATE storage_events SET stream = 'subject:s9' WHERE tenant = 't1' AND sequence = 9",
        "the hash of event 9 does not match"),
    ].then(share) + [more.reverting].thenRefused(share)
  }
}
