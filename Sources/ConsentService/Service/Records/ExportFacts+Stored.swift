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
    erasedAt = try snapshot.vault.erasure(of: try Subject.stored(record.subjectID))
    guard !record.documentID.isEmpty else {
      try take(formOf: record, snapshot)
      return
    }
    let version = try DocumentStore.existing(record.documentID, record.documentVersion, snapshot)
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
      // An erased subject's record is exported without personal data.
      images = [:]
    }
  }

  /// Takes a form's words from the flow, and the controller and the way to withdraw from the first document of the flow
  /// that states a controller.
  private mutating func take(formOf record: ConsentRecord, _ snapshot: Snapshot) throws {
    let version = try FlowStore.existing(record.flowID, record.flowVersion, snapshot)
    guard let definition = version.definition, let standIn = LocaleTag(definition.defaultLocale),
      case .form(let form)? = definition.steps.first(where: { $0.id == record.stepID })?.step
    else { return }
    let locale = LocaleTag(record.locale) ?? standIn
    func words(_ text: LocalizedText?) -> String { text.text(for: locale, standIn: definition.defaultLocale) }
    // Without a hash, an app showed the form in words that it has not stated.
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
