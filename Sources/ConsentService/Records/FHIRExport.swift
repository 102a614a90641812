internal import Base
package import ConsentContract
internal import Wire

/// A record as HL7 FHIR R5: a Bundle of one Consent and, per signature, one Provenance.
package enum FHIRExport {
  package static func bundle(of record: ConsentRecord, title: String) -> JSON {
    let consent = entry("Consent", record.recordID, consent(of: record, title: title))
    let provenances = record.signatures.map { signature in
      entry("Provenance", "\(record.recordID)-\(signature.signatureID)", provenance(of: signature, in: record))
    }
    return .members([
      ("resourceType", .string("Bundle")), ("type", .string("collection")),
      ("timestamp", .time(record.history.last?.at ?? record.decidedAt)),
      ("entry", .array([consent] + provenances)),
    ])
  }

  private static func entry(_ type: String, _ id: String, _ resource: JSON) -> JSON {
    .object([("fullUrl", .string("urn:assent:\(type.lowercased()):\(id)")), ("resource", resource)])
  }

  private static func consent(of record: ConsentRecord, title: String) -> JSON {
    let day = CalendarDay(of: record.decidedAt.orEpoch).description
    let signers = record.signatures.map { signature in
      JSON.members([
        ("reference", .string("#\(signature.signatureID)")), ("display", .some(signature.printedName)),
      ])
    }
    return .members([
      ("resourceType", .string("Consent")), ("id", .string(record.recordID)),
      ("contained", contained(record)),
      (
        "identifier",
        .array([.object([("system", .string("urn:assent:record")), ("value", .string(record.recordID))])])
      ),
      ("status", .string(status(record.state))),
      ("category", .array([concept("http://terminology.hl7.org/CodeSystem/consentcategorycodes", "research")])),
      ("subject", reference("urn:assent:subject", record.subjectID)), ("date", .string(day)),
      ("period", period(of: record)),
      ("grantor", .array([reference("urn:assent:subject", record.subjectID)])),
      ("grantee", signers.isEmpty ? nil : .array(signers)),
      ("policyBasis", record.documentID.isEmpty ? nil : .object([("url", .string(versionURL(record)))])),
      ("sourceAttachment", attachment(of: record, title: title)),
      ("decision", .string(record.state == .declined ? "deny" : "permit")),
      ("provision", .array(provisions(of: record))),
    ])
  }

  /// The signers are inside the Consent, because they are known here only by their signatures.
  private static func contained(_ record: ConsentRecord) -> JSON? {
    guard !record.signatures.isEmpty else { return nil }
    return .array(
      record.signatures.map { signature in
        .members([
          ("resourceType", .string("RelatedPerson")), ("id", .string(signature.signatureID)),
          ("patient", reference("urn:assent:subject", record.subjectID)),
          ("name", signature.printedName.isEmpty ? nil : .array([.object([("text", .string(signature.printedName))])])),
        ])
      })
  }

  private static func period(of record: ConsentRecord) -> JSON? {
    guard let start = record.inForceAt else { return nil }
    let ended = record.history.last { [.withdrawn, .superseded, .expired].contains($0.kind) }?.at
    let isOver = ![.inForce, .awaitingSignatures].contains(record.state)
    return .members([("start", .some(start)), ("end", .some(isOver ? ended : record.expiresAt))])
  }

  private static func attachment(of record: ConsentRecord, title: String) -> JSON {
    .array([
      .members([
        ("contentType", .string(record.kind == .paper ? "application/octet-stream" : "text/html")),
        ("language", .some(record.locale)),
        ("url", .string("urn:assent:shown:\(record.shownHash.isEmpty ? record.scanHash : record.shownHash)")),
        ("title", .some(title)),
      ])
    ])
  }

  private static func provisions(of record: ConsentRecord) -> [JSON] {
    record.purposes.map { purpose in
      .members([
        ("purpose", .array([.object([("system", .string("urn:assent:purpose")), ("code", .string(purpose))])])),
        (
          "action",
          record.withdrawnPurposes.contains(purpose)
            ? .array([concept("urn:assent:action", "withdrawn")])
            : record.sharing == .unspecified ? nil : .array([concept("urn:assent:sharing", record.sharing.code)])
        ),
      ])
    }
  }

  private static func provenance(of signature: RecordSignature, in record: ConsentRecord) -> JSON {
    let when = TimeText.rfc3339(
      signature.signedAt.orEpoch, offsetMinutes: Int(signature.deviceTime?.utcOffsetMinutes ?? 0))
    let who = JSON.members([
      (
        "identifier",
        .object([
          ("system", .string("urn:assent:signer")),
          ("value", .string(signature.signer.isEmpty ? "unknown" : signature.signer)),
        ])
      ),
      ("display", .some(signature.printedName)),
    ])
    return .members([
      ("resourceType", .string("Provenance")), ("id", .string("\(record.recordID)-\(signature.signatureID)")),
      ("target", .array([.object([("reference", .string("urn:assent:consent:\(record.recordID)"))])])),
      ("recorded", .string(when)),
      (
        "authorization",
        signature.meaning.isEmpty
          ? nil : .array([.object([("concept", .object([("text", .string(signature.meaning))]))])])
      ),
      ("activity", .object([("text", .string("signature"))])),
      (
        "agent",
        .array([.members([("role", .array([.object([("text", .string(signature.role.code))])])), ("who", who)])])
      ),
      (
        "signature",
        .array([
          .members([
            (
              "type",
              .array([
                .object([
                  ("system", .string("urn:iso-astm:E1762-95:2013")), ("code", .string(signature.role.signatureType)),
                ])
              ])
            ),
            ("when", .string(when)), ("who", who),
          ])
        ])
      ),
    ])
  }

  private static func versionURL(_ record: ConsentRecord) -> String {
    "urn:assent:document:\(record.documentID):\(record.documentVersion):\(record.versionHash)"
  }

  private static func reference(_ system: String, _ value: String) -> JSON {
    .object([("identifier", .object([("system", .string(system)), ("value", .string(value))]))])
  }

  private static func concept(_ system: String, _ code: String) -> JSON {
    .object([("coding", .array([.object([("system", .string(system)), ("code", .string(code))])]))])
  }

  private static func status(_ state: RecordState) -> String {
    switch state {
    case .inForce, .declined: "active"
    case .awaitingSignatures, .needsAttention: "draft"
    case .withdrawn, .superseded, .expired: "inactive"
    case .unspecified, .unrecognized: "unknown"
    }
  }
}

extension SignerRole {
  package var code: String { "\(self)" }

  /// The purpose of the signature by ASTM E1762: consent, witness, or review.
  var signatureType: String {
    switch self {
    case .participant, .guardian: "1.2.840.10065.1.12.1.7"
    case .witness: "1.2.840.10065.1.12.1.5"
    default: "1.2.840.10065.1.12.1.8"
    }
  }
}

extension SharingChoice {
  package var code: String { self == .wide ? "wide" : self == .investigatorOnly ? "investigator-only" : "none" }
}
