internal import Base
internal import ConsentContract
internal import Wire

/// A signature on a record as FHIR's Provenance: who signed what, as whom, when, and the signature itself.
struct FHIRProvenance {
  let signature: RecordSignature
  /// Counts the record's signatures from 1.
  let number: Int
  let record: ConsentRecord
  let facts: ExportFacts
  let release: FHIRExport.Release

  var id: String { "\(record.recordID)-\(number)" }

  var resource: JSON {
    let words = signature.meaning.isEmpty ? nil : JSON.object([("text", .string(signature.meaning))])
    // R5 puts the meaning of the signature and the signer's authority into one list, R4B into its reasons.
    let reasons: [(String, JSON?)] =
      release == .r5
      ? [("authorization", Self.list([words, authority].compactMap { $0 }.map { JSON.object([("concept", $0)]) }))]
      : [("reason", Self.list([words, authority].compactMap { $0 }))]
    let completion = "http://terminology.hl7.org/CodeSystem/v3-DocumentCompletion"
    return .members(
      [
        ("resourceType", .string("Provenance")), ("id", .string(id)), ("meta", FHIR.meta(record)),
        ("target", .array([.object([("reference", .string("urn:assent:consent:\(record.recordID)"))])])),
        ("occurredDateTime", .string(when)), ("recorded", .string(when)),
      ] + reasons + [
        ("activity", FHIR.concept(completion, "LA")), ("agent", .array([agent])), ("signature", .array([signed])),
      ])
  }

  /// The signature's time, with the device's offset from UTC clamped to the fourteen hours that FHIR allows.
  private var when: String {
    let offset = Int(signature.deviceTime?.utcOffsetMinutes ?? 0)
    return TimeText.rfc3339(signature.signedAt.orEpoch, offsetMinutes: min(max(offset, -840), 840))
  }

  /// The authority by which a guardian stated to decide.
  private var authority: JSON? {
    signature.authority.isEmpty ? nil : .object([("text", .string(signature.authority))])
  }

  private static func list(_ items: [JSON]) -> JSON? { items.isEmpty ? nil : .array(items) }

  private var agent: JSON {
    let types = "http://terminology.hl7.org/CodeSystem/provenance-participant-type"
    return .members([
      ("type", FHIR.concept(types, signature.role.participantType)),
      ("role", .array([.object([("text", .string(signature.role.code))])])), ("who", who),
      ("onBehalfOf", signature.role == .guardian ? FHIR.subject(record) : nil),
    ])
  }

  /// The signer. If no person is known by an account, the caller's name stands for whoever was at the device.
  private var who: JSON {
    let person = signature.personID.isEmpty ? signature.signer : signature.personID
    return .members([
      ("type", .string(signature.role.resourceType)),
      ("identifier", FHIR.identifier("urn:assent:signer", person.isEmpty ? "unknown" : person)),
      ("display", .some(signature.nameNow)),
    ])
  }

  private var signed: JSON {
    let image = facts.images[signature.signatureID]
    return .members([
      ("type", .array([FHIR.coding("urn:iso-astm:E1762-95:2013", signature.role.signatureType)])),
      ("when", .string(when)), ("who", who),
      ("onBehalfOf", signature.role == .guardian ? FHIR.subject(record) : nil),
      (
        "sigFormat",
        image.map { .string($0.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "application/octet-stream") }
      ),
      ("data", image.map { .string(Base64.encode($0)) }),
    ])
  }
}

extension SignerRole {
  package var code: String { "\(self)" }

  /// The purpose of the signature by ASTM E1762: consent, consent witness, or verification.
  var signatureType: String {
    switch self {
    case .participant, .guardian: "1.2.840.10065.1.12.1.7"
    case .witness: "1.2.840.10065.1.12.1.11"
    case .investigator, .unspecified, .unrecognized: "1.2.840.10065.1.12.1.5"
    }
  }

  fileprivate var participantType: String {
    switch self {
    case .participant: "author"
    case .guardian: "legal"
    case .witness: "attester"
    case .investigator, .unspecified, .unrecognized: "verifier"
    }
  }

  fileprivate var resourceType: String {
    switch self {
    case .participant: "Patient"
    case .guardian, .witness: "RelatedPerson"
    case .investigator, .unspecified, .unrecognized: "Practitioner"
    }
  }
}

extension SharingChoice {
  package var code: String { self == .wide ? "wide" : self == .investigatorOnly ? "investigator-only" : "none" }
}
