internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

extension ExportFacts {
  init(of record: ConsentRecord, _ snapshot: Snapshot) throws {
    self.init()
    tenant = snapshot.tenant.id
    guard !record.documentID.isEmpty else {
      try take(formOf: record, snapshot)
      return
    }
    let version = try DocumentStore.verified(record.documentID, record.documentVersion, of: record.studyID, snapshot)
    if let settings = version.content?.settings {
      controller = settings.controller ?? ConsentParty()
      withdrawalURL = settings.withdrawalURL
      initials = Set(settings.signatures.filter(\.initials).map(\.id))
    }
    if let locale = LocaleTag(record.locale), let words = version.content?.text(for: locale) { text = words }
    let demands = try DocumentStore.demands(on: [record], snapshot)
    reconsentBy = ConsentCheck.reconsentDeadline(of: record, demands).map { Timestamp($0) }
    do {
      for signature in record.signatures {
        images[signature.signatureID] = try RenderJob.image(of: signature, on: record, snapshot)?.bytes
      }
    } catch let refusal as Refusal where refusal.rule == "subject_erased" {
      // What is left of an erased subject's record is exported without what was personal.
      images = [:]
    }
  }

  /// A form has its words in the flow. Who answers for it, and how to withdraw it, stands in the documents that the
  /// flow shows beside it.
  private mutating func take(formOf record: ConsentRecord, _ snapshot: Snapshot) throws {
    let version = try FlowStore.verified(record.flowID, record.flowVersion, of: record.studyID, snapshot)
    guard let definition = version.definition, let standIn = LocaleTag(definition.defaultLocale),
      case .form(let form)? = definition.steps.first(where: { $0.id == record.stepID })?.step
    else { return }
    let locale = LocaleTag(record.locale) ?? standIn
    func words(_ text: LocalizedText?) -> String { text.text(for: locale, standIn: definition.defaultLocale) }
    // In which words an app showed it is known only where the app has said so.
    if !record.shownHash.isEmpty {
      let (title, body) = (words(form.pages.first?.title), words(form.pages.first?.body))
      text.title = title
      text.purposes = record.purposes.map { PurposeText(purposeCode: $0, title: title, description: body) }
    }
    for id in definition.documentNames {
      guard let document = try DocumentStore.find(id, snapshot),
        let content = try DocumentStore.shownVersion(0, of: document, snapshot)?.content,
        let party = content.settings?.controller
      else { continue }
      (controller, withdrawalURL) = (party, content.settings?.withdrawalURL ?? "")
      let beside = content.text(for: locale)
      (text.withdrawal, text.rights) = (beside?.withdrawal ?? "", beside?.rights ?? [])
      return
    }
  }
}
