internal import Base
internal import ConsentContract
internal import ServicePolicy
internal import Storage
internal import Wire

/// Reads what a copy of a record says: what was shown, in the locale and the words in which it was shown, and who
/// signed.
enum CopyReader {
  /// - Parameter isSoFar: whether it is to be marked as not complete.
  static func paper(of record: ConsentRecord, isSoFar: Bool = false, _ snapshot: Snapshot) throws -> CopyPaper {
    let version = try DocumentStore.verified(record.documentID, record.documentVersion, of: record.studyID, snapshot)
    // Refused once the subject is erased.
    let session = try SessionStore.session(record.sessionID, snapshot)
    let flow = try FlowStore.verified(record.flowID, record.flowVersion, of: record.studyID, snapshot)
    let own = try TextsStore.verified(record.textsVersion, snapshot)
    let ownText = try record.ownScreens ? RecordStore.ownText(record.shownHash, snapshot) : nil
    // A session may have gone on in another language since; what was shown decides.
    for name in [session.locale, record.locale] {
      guard let locale = LocaleTag(name), let standIn = LocaleTag(flow.definition?.defaultLocale ?? "") else {
        continue
      }
      let texts = ScreenTexts(locale: locale, standIn: standIn, own: own)
      let document = try ScriptLoader.document(version, texts: texts)
      let isShown =
        ownText == nil ? document.review.hash == record.shownHash : document.text.locale == record.locale
      guard isShown else { continue }
      var paper = try paper(of: record, document, texts, snapshot)
      if let ownText { paper.show(ownText) }
      if isSoFar { paper.watermark = texts[.unfinishedMark] }
      if record.test { paper.watermark = texts[.testMark] }
      return paper
    }
    throw CopyProblem(
      .failed, "shown_differs", "what was shown is no longer what the document's version makes of it")
  }

  private static func paper(
    of record: ConsentRecord, _ document: ScriptDocument, _ texts: ScreenTexts, _ snapshot: Snapshot
  ) throws -> CopyPaper {
    let secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, snapshot)
    var signatures = record.signatures
    var images: [String: CopyImage] = [:]
    for index in signatures.indices {
      let id = signatures[index].signatureID
      let secret = secrets.signatures.first { $0.signatureID == id }
      signatures[index].printedName = secret?.printedName ?? ""
      if !signatures[index].fieldID.isEmpty {
        images[id] = .saved(signatures[index].savedSignatureID, hash: signatures[index].strokesHash)
      } else if let typed = secret?.typed {
        images[id] = .typed(typed)
      }
    }
    let last = record.signatures.compactMap { $0.signedAt?.clamped }.max() ?? record.decidedAt.orEpoch
    var paper = try self.paper(document, texts, of: record.studyID, signatures: signatures, created: last, snapshot)
    paper.images = images
    return paper
  }

  /// A document with what is known of its signatures.
  static func paper(
    _ document: ScriptDocument, _ texts: ScreenTexts, of studyID: String, signatures: [RecordSignature],
    created: Instant, _ snapshot: Snapshot
  ) throws -> CopyPaper {
    let composer = ReviewComposer(settings: document.settings, text: document.text, texts: texts)
    var paper = CopyPaper(review: composer.document(signatures: signatures, typed: [:]), created: created)
    for definition in document.settings.signatures {
      if let key = definition.role.textKey { paper.roles[definition.id] = texts[key] }
    }
    paper.pictures = try pictures(in: paper.review, snapshot)
    if let file = document.text.file {
      paper.attachments = [
        CopyAttachment(
          name: "document.pdf", mediaType: "application/pdf", description: document.text.title,
          bytes: try DocumentStore.asset(file.asset, snapshot).data)
      ]
    }
    let study = try StudyStore.study(studyID, snapshot)
    paper.header = "\(study.name) · \(document.version)"
    paper.author = study.name
    return paper
  }

  /// The stored pictures that the document's markup shows.
  private static func pictures(in review: ReviewDocument, _ snapshot: Snapshot) throws -> [ConsentAsset] {
    let markup = [review.separateHTML] + review.sections.map(\.html)
    let names = Set(markup.flatMap(Reference.assets))
    return try names.sorted().map { try DocumentStore.asset($0, snapshot) }
  }
}

extension SignerRole {
  fileprivate var textKey: TextKey? {
    switch self {
    case .participant: .roleParticipant
    case .guardian: .roleGuardian
    case .witness: .roleWitness
    case .investigator: .roleInvestigator
    case .unspecified, .unrecognized: nil
    }
  }
}
