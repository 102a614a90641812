package import Base
package import ConsentContract
package import Refusals
internal import Wire

/// The circumstances of a session, which its records state besides the decisions.
package struct RecordPlace: Equatable, Sendable {
  package var studyID: String
  package var siteID: String
  package var subjectID: String
  package var sessionID: String
  package var deviceID: String
  package var actor: String
  package var isTest: Bool
  /// Everybody who assisted until now.
  package var assistants: [AssistedPart]
  /// Whether the decisions were made on screens of an app's own.
  package var ownScreens: Bool
  /// The device from whose queue the decisions come; empty if they were made with a connection.
  package var queue: String

  package init(
    studyID: String, siteID: String, subjectID: String, sessionID: String, deviceID: String, actor: String,
    isTest: Bool, assistants: [AssistedPart] = [], ownScreens: Bool = false, queue: String = ""
  ) {
    self.studyID = studyID
    self.siteID = siteID
    self.subjectID = subjectID
    self.sessionID = sessionID
    self.deviceID = deviceID
    self.actor = actor
    self.isTest = isTest
    self.assistants = assistants
    self.ownScreens = ownScreens
    self.queue = queue
  }

  func entry(at time: Timestamp?, _ device: DeviceTime?) -> RecordEntry {
    RecordEntry(at: time, deviceTime: device, actor: actor, queuedBy: queue)
  }
}

/// A record and the data that the vault stores for it.
package struct MadeRecord: Equatable, Sendable {
  package var record: ConsentRecord
  package var secrets: RecordSecrets
  /// The bytes of a form, to be stored under their hash. A review's bytes are stored as soon as it is agreed to.
  package var shown: [UInt8]?
}

/// Makes records from the decisions of a session.
package struct RecordMaker {
  private let script: FlowScript
  private let forms: FormWords?
  private let place: RecordPlace
  private let salts: Randomness

  /// - Parameter forms: the words in which forms were shown; nil if they are not known.
  package init(script: FlowScript, forms: FormWords?, place: RecordPlace, salts: Randomness) {
    self.script = script
    self.forms = forms
    self.place = place
    self.salts = salts
  }

  /// The record of a form: an allowed one is in force at once, a refused one is on record as declined.
  package func record(of result: FormResult, id: String) throws(Refusal) -> MadeRecord {
    let shown = forms.map { Array($0.html(of: result.stepID).utf8) }
    var record = base(id: id, kind: .form, decidedAt: result.decidedAt)
    record.stepID = result.stepID
    record.purposes = [result.purpose]
    record.versionHash = script.flowHash
    if let forms, let shown {
      (record.flowVersion, record.versionHash) = (forms.flowVersion, forms.flowHash)
      record.locale = forms.language(of: result.stepID)
      record.shownHash = Digest(of: shown).hex
    }
    let entry = place.entry(at: result.decidedAt, result.deviceTime)
    record.append(entry.of(result.allowed ? .given : .declined))
    if result.allowed { record.append(entry.of(.inForce)) }
    return MadeRecord(record: record, secrets: RecordSecrets(), shown: shown)
  }

  /// A document's record. Consent that was not given is never signed, whatever the session holds.
  ///
  /// - Parameter needsAttention: whether a check of the walk failed. Then a guardian's signature that must come first
  ///   may be missing, and signatures that may not be given before it are left out.
  package func record(
    of result: DocumentResult, state: SessionState, id: String, needsAttention: Bool = false
  ) throws(Refusal) -> MadeRecord {
    guard let document = script.documents[result.documentID] else {
      throw .notFound("document", result.documentID)
    }
    let settings = document.settings
    let birthDate = state.birthDate?.checked
    let started = state.startDay
    let standing = AgeRule.standing(settings.age, birthDate: birthDate, on: started)
    var record = base(id: id, kind: .document, decidedAt: result.decidedAt)
    record.stepID = result.stepID
    record.documentID = document.id
    record.documentVersion = document.version
    record.versionHash = document.versionHash
    record.locale = result.locale
    record.localeHash = result.localeHash
    record.shownHash = result.shownHash
    record.fileHash = result.fileHash
    record.purposes = settings.purposeCodes(documentID: document.id, without: result.declinedPurposes)
    record.declinedPurposes = result.declinedPurposes
    record.ageCheck = AgeRule.check(settings, documentID: document.id, birthDate: birthDate, standing)
    record.majorityMonth = AgeRule.majorityMonth(settings.age, birthDate: birthDate, standing)
    if let days = settings.validity?.lastsDays, days > 0 {
      record.expiresAt = Timestamp(result.decidedAt.orEpoch + .days(Int(days)))
    }
    record.awaitSignatures(settings, from: result.decidedAt.orEpoch)
    var entry = place.entry(at: result.decidedAt, result.deviceTime)
    let tellsMajority = state.birthDateStated && !record.majorityMonth.isEmpty
    var made = MadeRecord(record: record, secrets: RecordSecrets(majorityStated: tellsMajority))
    made.secrets.shownCommitment = result.shownCommitment
    made.secrets.attempts = state.attempts.filter { $0.documentID == document.id }
    guard result.agreed else {
      made.record.append(entry.of(.declined))
      return made
    }
    entry.sharing = state.sharing.first { $0.documentID == document.id }?.choice ?? .unspecified
    made.record.append(entry.of(.given))
    made.record.enterForceIfComplete(settings, entry: entry)
    for signature in Signing.needed(settings, record.ageCheck).sorted(by: { $0.order < $1.order }) {
      guard
        let given = state.signatures.first(where: { $0.documentID == document.id && $0.signatureID == signature.id })
      else { continue }
      let isDue = Signing.due(made.record, settings).contains { $0.id == signature.id }
      guard isDue || !needsAttention else { continue }
      // If a given signature cannot be added, the action that ends the review is refused: none gets lost.
      try sign(&made, as: signature, with: given, settings, document.text)
    }
    return made
  }

  /// Adds a signature given in the session: the record holds commitments, the vault the committed values.
  private func sign(
    _ made: inout MadeRecord, as definition: SignatureDefinition, with given: GivenSignature,
    _ settings: DocumentSettings, _ text: DocumentText
  ) throws(Refusal) {
    let words = SignerWords(text, script.texts)
    let signer = SignerFacts(
      locale: LocaleTag(text.locale) ?? script.locale, meaning: words.meaning(of: definition),
      authority: words.authority(of: definition), signer: place.actor)
    let (signature, secret) = Self.signature(given, signer, salts: salts)
    let entry = place.entry(at: given.signedAt, given.deviceTime)
    made.record = try Signing.adding(signature, to: made.record, settings, entry: entry)
    made.secrets.signatures.append(secret)
  }

  /// What is known of a signer besides the signature.
  package struct SignerFacts {
    let locale: LocaleTag
    package let meaning: String
    let authority: String
    let signer: String

    package init(locale: LocaleTag, meaning: String, authority: String, signer: String) {
      self.locale = locale
      self.meaning = meaning
      self.authority = authority
      self.signer = signer
    }
  }

  /// A signature in the form in which the record stores it, and what the vault stores with it.
  package static func signature(
    _ given: GivenSignature, _ facts: SignerFacts, salts: Randomness
  ) -> (RecordSignature, SignatureSecret) {
    var secret = SignatureSecret(signatureID: given.signatureID)
    var signature = RecordSignature(
      signatureID: given.signatureID, signedAt: given.signedAt, deviceTime: given.deviceTime,
      meaning: facts.meaning, authentication: given.authentication,
      authority: facts.authority, signer: facts.signer, personID: given.personID)
    signature.otherThanName = given.input?.otherThanName ?? false
    if let name = given.name {
      secret.printedName = PrintedName.of(name, locale: facts.locale)
      secret.nameSalt = salts.bytes(32)
      signature.nameCommitment = commitment("printed-name", secret.printedName, salt: secret.nameSalt).hex
    }
    switch given.input?.image {
    case .drawn(let drawn):
      signature.fieldID = drawn.fieldID
      signature.fieldRevision = drawn.revision
      signature.savedSignatureID = given.savedSignatureID
      signature.strokesHash = given.strokesHash
      signature.typed = given.typedInField
      signature.origin = given.origin
    case .typed(let typed):
      secret.typed = typed
      secret.typedSalt = salts.bytes(32)
      signature.typed = true
      signature.strokesHash = commitment("typed-signature", typed.text, salt: secret.typedSalt).hex
    case nil: break
    }
    return (signature, secret)
  }

  /// A commitment to a text that does not reveal it: SHA-256 over salt, label and text.
  package static func commitment(_ label: String, _ text: String, salt: [UInt8]) -> Digest {
    var builder = DigestBuilder()
    builder.update("assent-commitment-1\n\(label)\n")
    builder.update(salt)
    builder.update(text)
    return builder.finish()
  }

  private func base(id: String, kind: RecordKind, decidedAt: Timestamp?) -> ConsentRecord {
    ConsentRecord(
      recordID: id, studyID: place.studyID, siteID: place.siteID, subjectID: place.subjectID, kind: kind,
      flowID: script.flowID, flowVersion: script.flowVersion, sessionID: place.sessionID, deviceID: place.deviceID,
      decidedAt: decidedAt, test: place.isTest, textsVersion: script.texts.version, textsHash: script.texts.hash,
      assistedBy: place.assistants.last?.assistedBy ?? "",
      assistance: place.assistants.last?.assistance ?? .unspecified, ownScreens: place.ownScreens,
      assistants: place.assistants)
  }
}

extension RecordEntry {
  package func of(_ kind: EntryKind) -> RecordEntry {
    var entry = self
    entry.kind = kind
    return entry
  }
}
