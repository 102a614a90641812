internal import Base
package import ConsentContract
internal import Wire

/// A record as HL7 FHIR: a Bundle of one Consent and, per signature, one Provenance.
///
/// Nothing is permitted but the purposes that were consented to: that is the base, and provisions are the exceptions to
/// it. Each has the time during which `CheckConsent` permitted its purposes by this record. A record that is not in
/// force has no status that a reader would follow.
package struct FHIRExport {
  package enum Release: Sendable {
    case r5, r4b
  }

  private let record: ConsentRecord
  private let facts: ExportFacts
  private let release: Release

  package static func bundle(of record: ConsentRecord, _ facts: ExportFacts, _ release: Release) -> JSON {
    FHIRExport(record: record, facts: facts, release: release).bundle
  }

  private var bundle: JSON {
    let provenances = record.signatures.enumerated().map { number, signature in
      let provenance = FHIRProvenance(
        signature: signature, number: number + 1, record: record, facts: facts, release: release)
      return entry("Provenance", provenance.id, provenance.resource)
    }
    return .members([
      ("resourceType", .string("Bundle")), ("type", .string("collection")),
      ("timestamp", .time(record.history.last?.at ?? record.decidedAt)),
      ("entry", .array([entry("Consent", record.recordID, consent)] + provenances)),
    ])
  }

  private func entry(_ type: String, _ id: String, _ resource: JSON) -> JSON {
    .object([("fullUrl", .string("urn:assent:\(type.lowercased()):\(id)")), ("resource", resource)])
  }

  private var consent: JSON {
    let identity: [(String, JSON?)] = [
      ("resourceType", .string("Consent")), ("id", .string(record.recordID)), ("meta", FHIR.meta(record)),
      ("contained", .array(contained)),
      ("extension", .array(extensions)),
      ("identifier", .array([FHIR.identifier("urn:assent:record", record.recordID)])), ("status", .string(status)),
    ]
    return .members(identity + (release == .r5 ? r5 : r4b))
  }

  private var r5: [(String, JSON?)] {
    [
      ("category", .array([category])), ("subject", FHIR.subject(record)),
      ("date", .string(CalendarDay(of: record.decidedAt.orEpoch).description)), ("period", period),
      ("grantor", .array(grantors)), ("grantee", .array([FHIR.contained("controller")])),
      ("policyBasis", record.documentID.isEmpty ? nil : .object([("url", .string(policy))])),
      ("sourceAttachment", .array([attachment])), ("decision", .string("deny")), ("provision", provisions),
    ]
  }

  /// In R4B, the policy rule states the base, and every provision states its own type.
  private var r4b: [(String, JSON?)] {
    let codes = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
    let exceptions = provisions
    return [
      ("scope", FHIR.concept("http://terminology.hl7.org/CodeSystem/consentscope", "research")),
      ("category", .array([category])), ("patient", FHIR.subject(record)), ("dateTime", .time(record.decidedAt)),
      ("performer", .array(grantors)), ("organization", .array([FHIR.contained("controller")])),
      ("sourceAttachment", attachment),
      ("policy", record.documentID.isEmpty ? nil : .array([.object([("uri", .string(policy))])])),
      ("policyRule", FHIR.concept(codes, exceptions == nil ? "OPTOUT" : "OPTOUTE")),
      ("provision", exceptions.map { .members([("period", period), ("provision", $0)]) }),
    ]
  }

  private var category: JSON {
    FHIR.concept("http://terminology.hl7.org/CodeSystem/consentcategorycodes", "research")
  }

  /// The grantors: the guardians, if there are any, for the person; else the person.
  private var grantors: [JSON] {
    guardians.isEmpty ? [FHIR.subject(record)] : guardians.map { FHIR.contained("guardian-\($0.number)") }
  }

  /// The signature of each guardian, with its number on the record. Initials are left out, since their guardian has
  /// given a full signature, too.
  private var guardians: [(number: Int, signature: RecordSignature)] {
    let all = record.signatures.enumerated().filter { $0.element.role == .guardian }
      .map { (number: $0.offset + 1, signature: $0.element) }
    let whole = all.filter { !facts.initials.contains($0.signature.signatureID) }
    return whole.isEmpty ? Array(all.prefix(1)) : whole
  }

  /// Resources for those whom the record names and no other resource describes: the party that asks for consent, and
  /// the guardians who gave it.
  private var contained: [JSON] {
    let controller = JSON.members([
      ("resourceType", .string("Organization")), ("id", .string("controller")),
      ("identifier", .array([FHIR.identifier("urn:assent:tenant", facts.tenant)])),
      ("name", .some(facts.controller.name)),
    ])
    let related = guardians.map { number, signature in
      JSON.members([
        ("resourceType", .string("RelatedPerson")), ("id", .string("guardian-\(number)")),
        (
          "identifier",
          signature.personID.isEmpty ? nil : .array([FHIR.identifier("urn:assent:person", signature.personID)])
        ),
        ("patient", FHIR.subject(record)),
        ("relationship", .array([FHIR.concept("http://terminology.hl7.org/CodeSystem/v3-RoleCode", "GUARD")])),
        ("name", signature.nameNow.isEmpty ? nil : .array([.object([("text", .string(signature.nameNow))])])),
      ])
    }
    return [controller] + related
  }

  /// What FHIR has no element for: the record's state, by the word that `CheckConsent` uses, and with whom the data may
  /// be shared within the purposes, which is no purpose of use.
  private var extensions: [JSON] {
    let sharing = record.sharing == .unspecified ? [] : [("sharing", record.sharing.code)]
    return ([("state", record.state.word)] + sharing).map { name, code in
      .object([("url", .string("urn:assent:\(name)")), ("valueCode", .string(code))])
    }
  }

  /// The times during which each purpose was permitted.
  private var periods: [(period: PermittedPeriod, purposes: [String])] {
    var found: [(period: PermittedPeriod, purposes: [String])] = []
    for purpose in record.purposes {
      for period in record.permittedPeriods(of: purpose, lapse: facts.lapse(of: record)) {
        if let place = found.firstIndex(where: { $0.period == period }) {
          found[place].purposes.append(purpose)
        } else {
          found.append((period, [purpose]))
        }
      }
    }
    return found.sorted { $0.period.start < $1.period.start }
  }

  /// From the first moment at which anything was permitted to the last.
  private var period: JSON? {
    let all = periods.map(\.period)
    guard let start = all.map(\.start).min() else { return nil }
    let ends = all.compactMap(\.end)
    return Self.json(PermittedPeriod(start: start, end: ends.count == all.count ? ends.max() : nil))
  }

  private static func json(_ period: PermittedPeriod) -> JSON {
    .members([("start", .time(Timestamp(period.start))), ("end", .some(period.end.map { Timestamp($0) }))])
  }

  private var attachment: JSON {
    let shown = record.shownHash.isEmpty ? record.scanHash : record.shownHash
    return .members([
      ("contentType", .string(record.kind == .paper ? "application/octet-stream" : "text/html")),
      ("language", .some(record.locale)),
      ("url", shown.isEmpty ? nil : .string("urn:assent:shown:\(shown)")),
      ("title", .some(facts.title)),
    ])
  }

  private var policy: String {
    "urn:assent:document:\(record.documentID):\(record.documentVersion):\(record.versionHash)"
  }

  /// nil where nothing was ever permitted: a provision without a purpose would be about all of them.
  private var provisions: JSON? {
    let periods = periods
    guard !periods.isEmpty else { return nil }
    return .array(
      periods.map { period, purposes in
        .members([
          ("type", release == .r4b ? .string("permit") : nil), ("period", Self.json(period)),
          ("purpose", .array(purposes.map(coding))), ("provision", declined),
        ])
      })
  }

  /// The exception to what is permitted: the optional purposes to which the person said no.
  private var declined: JSON? {
    guard !record.declinedPurposes.isEmpty else { return nil }
    return .array([
      .members([
        ("type", release == .r4b ? .string("deny") : nil), ("purpose", .array(record.declinedPurposes.map(coding))),
      ])
    ])
  }

  private func coding(_ purpose: String) -> JSON {
    .members([
      ("system", .string("urn:assent:purpose")), ("code", .string(purpose)),
      ("display", .some(facts.words(of: purpose)?.title ?? "")),
    ])
  }

  private var status: String {
    // The consent of a test participant permits nothing.
    if record.test { return "inactive" }
    return switch record.state {
    case .inForce: "active"
    // A refusal. R4B calls the consent rejected; in R5 the refusal itself is active, and permits nothing.
    case .declined: release == .r5 ? "active" : "rejected"
    case .awaitingSignatures, .needsAttention: "draft"
    case .withdrawn, .superseded, .expired, .reconsentDue, .rejected, .erased: "inactive"
    case .voided: "entered-in-error"
    case .unspecified, .unrecognized: release == .r5 ? "unknown" : "entered-in-error"
    }
  }
}

/// The small parts that resources are made of.
enum FHIR {
  /// Marks the resources of test participants; nil for those of others.
  static func meta(_ record: ConsentRecord) -> JSON? {
    guard record.test else { return nil }
    return .object([("tag", .array([coding("http://terminology.hl7.org/CodeSystem/v3-ActReason", "HTEST")]))])
  }

  static func subject(_ record: ConsentRecord) -> JSON {
    .object([("type", .string("Patient")), ("identifier", identifier("urn:assent:subject", record.subjectID))])
  }

  static func identifier(_ system: String, _ value: String) -> JSON {
    .object([("system", .string(system)), ("value", .string(value))])
  }

  static func contained(_ id: String) -> JSON { .object([("reference", .string("#\(id)"))]) }

  static func concept(_ system: String, _ code: String) -> JSON {
    .object([("coding", .array([coding(system, code)]))])
  }

  static func coding(_ system: String, _ code: String) -> JSON {
    .object([("system", .string(system)), ("code", .string(code))])
  }
}
