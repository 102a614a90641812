package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// A consent given on paper, registered from a scan: a kind of its own, marked as such, with the person who attests it.
package enum PaperRules {
  package static let longestScan = 20 << 20

  /// The name of the vault's item for the scan.
  package static func item(_ recordID: String) -> String { "scan/\(recordID)" }

  package static func mediaType(of scan: [UInt8]) -> String? {
    if scan.starts(with: Array("%PDF-".utf8)) { return "application/pdf" }
    if scan.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if scan.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    return nil
  }

  package static func record(
    _ request: CreatePaperRecordRequest, _ version: DocumentVersion, id: String, subjectID: String, at now: Instant
  ) throws(Refusal) -> ConsentRecord {
    let settings = version.content?.settings ?? DocumentSettings()
    try checkForm(request, settings, at: now)
    try checkVersion(version)
    guard let hash = version.localeHashes.first(where: { $0.locale == request.locale }) else {
      let known = version.localeHashes.map(\.locale).joined(separator: ", ")
      let message = "locale is '\(request.locale.shortened)'; the version is published in: \(known)"
      throw Refusal(.invalid, "unknown_locale", field: "locale", message)
    }
    let declined = try PurposeRules.declined(request.purposes, settings, "purposes")
    let signed = request.signedAt.orEpoch
    try SigningRules.checkDates(settings, at: signed)
    let standing = try standing(request, settings, signed: CalendarDay(of: signed))
    try checkSigners(request, settings, standing)
    let birthDate = request.birthDate?.checked
    var record = ConsentRecord(
      recordID: id, studyID: request.studyID, siteID: request.siteID, subjectID: subjectID, kind: .paper,
      documentID: version.documentID, documentVersion: version.version, versionHash: version.versionHash,
      locale: request.locale, localeHash: hash.hash,
      purposes: settings.purposeCodes(documentID: version.documentID, without: declined),
      ageCheck: AgeRule.check(settings, documentID: version.documentID, birthDate: birthDate, standing),
      decidedAt: request.signedAt, attestedBy: request.attestedBy, declinedPurposes: declined)
    record.majorityMonth = AgeRule.majorityMonth(settings.age, birthDate: birthDate, standing)
    if let days = settings.validity?.lastsDays, days > 0 {
      record.expiresAt = Timestamp(signed + .days(Int(days)))
    }
    return record
  }

  private static func checkForm(
    _ request: CreatePaperRecordRequest, _ settings: DocumentSettings, at now: Instant
  ) throws(Refusal) {
    guard (1...longestScan).contains(request.scan.count), mediaType(of: request.scan) != nil else {
      let message = "scan is \(request.scan.count) bytes; it must be a PDF, PNG or JPEG of 1 to \(longestScan)"
      throw Refusal(.invalid, "bad_scan", field: "scan", message)
    }
    guard !trimmed(request.attestedBy).isEmpty, request.attestedBy.utf8.count <= 200 else {
      throw Refusal(.invalid, "attester_missing", field: "attested_by", "attested_by must name who attests the consent")
    }
    guard let signed = request.signedAt?.instant, signed.millisecondsSince1970 > 0, signed <= now else {
      let stated = request.signedAt.map { TimeText.rfc3339($0.clamped) } ?? "missing"
      let message = "signed_at is \(stated); it must lie in the past, after 1970"
      throw Refusal(.invalid, "time_out_of_bounds", field: "signed_at", message)
    }
    try SharingRules.check(request.sharing, on: settings, "sharing")
    guard !settings.offersSharing || request.sharing == .wide || request.sharing == .investigatorOnly else {
      let message = "sharing is \(request.sharing.number); the document asks for wide or investigator only"
      throw Refusal(.invalid, "sharing_not_chosen", field: "sharing", message)
    }
  }

  /// A minor does not consent alone: the record says who signed for them.
  private static func checkSigners(
    _ request: CreatePaperRecordRequest, _ settings: DocumentSettings, _ standing: Standing
  ) throws(Refusal) {
    let names = request.signers.map(\.signatureID)
    for (index, name) in names.enumerated() {
      let field = "signers[\(index)].signature_id"
      guard settings.signature(name) != nil else {
        let known = settings.signatures.map(\.id).joined(separator: ", ")
        let message = "\(field) is '\(name.shortened)'; the document asks for: \(known)"
        throw Refusal(.invalid, "unknown_signature", field: field, message)
      }
      guard !names[..<index].contains(name) else {
        throw Refusal(.invalid, "stated_twice", field: field, "\(field) is '\(name)', which is stated before")
      }
    }
    guard case .minor = standing else { return }
    let needed = settings.signatures.filter { signature in
      [.participant, .guardian].contains(signature.role) && standing.signs(signature.role) && !signature.initials
    }
    guard let missing = needed.first(where: { !names.contains($0.id) }) else { return }
    let message = "signers do not state who gave signature '\(missing.id)', and the person was a minor when signing"
    throw Refusal(.precondition, "signer_missing", field: "signers", message)
  }

  private static func checkVersion(_ version: DocumentVersion) throws(Refusal) {
    switch version.state {
    case .published, .retired: return
    case .stopped:
      let message = "version \(version.version) of '\(version.documentID)' was stopped"
      throw Refusal(.precondition, "version_stopped", field: "document_version", message)
    default:
      let message = "version \(version.version) of '\(version.documentID)' is \(version.state.word)"
      throw Refusal(.precondition, "not_published", field: "document_version", message)
    }
  }

  private static func standing(
    _ request: CreatePaperRecordRequest, _ settings: DocumentSettings, signed: CalendarDay
  ) throws(Refusal) -> Standing {
    guard settings.age != nil else { return .ofAge }
    let birth = try AnswerRules.birthDay(request.birthDate, "birth_date", today: signed)
    let standing = AgeRule.standing(settings.age, birthDate: birth, on: signed)
    guard standing != .tooYoung else {
      let message = "the person was under the document's minimum age, \(settings.age?.minimumAge ?? 0), when signing"
      throw Refusal(.precondition, "under_age", field: "birth_date", message)
    }
    return standing
  }
}
