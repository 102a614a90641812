internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage

extension ExportFacts {
  init(of record: ConsentRecord, _ snapshot: Snapshot) throws {
    self.init()
    tenant = snapshot.tenant.id
    guard !record.documentID.isEmpty else { return }
    let version = try DocumentStore.version(record.documentID, record.documentVersion, snapshot)
    if let settings = version.content?.settings {
      controller = settings.controller ?? ConsentParty()
      withdrawalURL = settings.withdrawalURL
    }
    if let locale = LocaleTag(record.locale), let words = version.content?.text(for: locale) { text = words }
    do {
      for signature in record.signatures {
        images[signature.signatureID] = try RenderJob.image(of: signature, on: record, snapshot)?.bytes
      }
    } catch let refusal as Refusal where refusal.rule == "subject_erased" {
      // What is left of an erased subject's record is exported without what was personal.
      images = [:]
    }
  }
}
