internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// Reads the content of a record's copy: the document in the locale and the words in which it was shown, and who
/// signed.
enum CopyReader {
  /// - Parameter isSoFar: whether the paper is marked as unfinished.
  static func paper(of record: ConsentRecord, isSoFar: Bool = false, _ snapshot: Snapshot) throws -> CopyPaper {
    let version = try DocumentStore.existing(record.documentID, record.documentVersion, snapshot)
    // Throws once the subject is erased.
    let session = try SessionStore.session(record.sessionID, snapshot)
    let flow = try FlowStore.existing(record.flowID, record.flowVersion, snapshot)
    let own = try TextsStore.version(record.textsVersion, snapshot)
    // A session may have continued in another language since. The hash on the record says which text was shown.
    var made: [(document: ScriptDocument, texts: ScreenTexts)] = []
    for name in session.locale == record.locale ? [record.locale] : [session.locale, record.locale] {
      guard let locale = LocaleTag(name), let standIn = LocaleTag(flow.definition?.defaultLocale ?? "") else {
        continue
      }
      let texts = ScreenTexts(locale: locale, standIn: standIn, own: own)
      made.append((try ScriptLoader.document(version, texts: texts), texts))
      if made.last?.document.review.hash == record.shownHash { break }
    }
    let same = made.first { $0.document.review.hash == record.shownHash }
    guard let (document, texts) = same ?? made.first(where: { $0.document.text.locale == record.locale }) ?? made.first
    else {
      throw CopyProblem(.failed, "shown_differs", "the language in which the document was shown is not known")
    }
    let shown = same == nil ? try markup(shownFor: record, snapshot) : nil
    var paper = try paper(of: record, document, shown: shown, texts, snapshot)
    if isSoFar { paper.watermark = texts[.unfinishedMark] }
    if record.test { paper.watermark = texts[.testMark] }
    return paper
  }

  /// The stored content that was shown: the page as it was composed then, since later releases may use other words, or
  /// the text that an app says it showed on screens of its own.
  private static func markup(shownFor record: ConsentRecord, _ snapshot: Snapshot) throws -> String {
    switch try RecordStore.shown(on: record, snapshot) {
    case .composed(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .ownText(let text): return paragraphs(of: text.bytes)
    }
  }

  private static func paragraphs(of text: [UInt8]) -> String {
    let words = String(decoding: text, as: UTF8.self)
    let lines = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.split(separator: "").map { part in
      "<p>\(part.map { MarkupText.escaped(String($0)) }.joined(separator: "<br/>"))</p>"
    }.joined()
  }

  private static func paper(
    of record: ConsentRecord, _ document: ScriptDocument, shown: String?, _ texts: ScreenTexts, _ snapshot: Snapshot
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
    var paper = try self.paper(
      document, shown: shown, hasFile: !record.fileHash.isEmpty, texts, of: record.studyID, signatures: signatures,
      created: last, snapshot)
    paper.images = images
    return paper
  }

  /// The paper of a document with its signatures.
  ///
  /// - Parameters:
  ///   - shown: the markup that was shown, if it is not what the document is composed to now; nil if it is.
  ///   - hasFile: whether the document's file was shown, if it has one.
  static func paper(
    _ document: ScriptDocument, shown: String? = nil, hasFile: Bool = true, _ texts: ScreenTexts, of studyID: String,
    signatures: [RecordSignature], created: Instant, _ snapshot: Snapshot
  ) throws -> CopyPaper {
    let composer = ReviewComposer(settings: document.settings, text: document.text, texts: texts)
    var paper = CopyPaper(review: composer.document(signatures: signatures, typed: [:]), created: created)
    if let shown { (paper.review.separateHTML, paper.review.sections) = (shown, []) }
    // Our own words are in the document's language where we have them in it; else their language is stated.
    let own = texts.speaking(document.text.locale)
    for definition in document.settings.signatures {
      if let key = definition.role.textKey { paper.roles[definition.id] = own.found(key) }
    }
    for signature in signatures where SignaturePageComposer.printsBothTimes(of: signature) {
      paper.timeLanguages[signature.signatureID] = own.found(.timeOfDevice).locale
    }
    for section in paper.review.sections {
      paper.headingLanguages[section.sectionID] = composer.headingLanguage(of: section)
    }
    if document.text.signaturePageTitle.isEmpty { paper.signatureTitleLanguage = own.found(.consentTitle).locale }
    paper.pictures = try pictures(in: paper.review, snapshot)
    if hasFile, let file = document.text.file {
      paper.attachments = [
        CopyAttachment(
          name: "document.pdf", mediaType: "application/pdf", description: document.text.title,
          bytes: try DocumentStore.asset(file.asset, snapshot).data)
      ]
    }
    let study = try StudyStore.study(studyID, snapshot)
    let name = study.name(for: own.locale)
    paper.header = "\(name) · \(document.version)"
    paper.author = name
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
