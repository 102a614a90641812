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
    guard record.kind != .paper else { return try scanned(record, version, snapshot) }
    // Throws once the subject is erased.
    let session = try SessionStore.session(record.sessionID, snapshot)
    let flow = try FlowStore.existing(record.flowID, record.flowVersion, snapshot)
    let own = try TextsStore.version(record.textsVersion, snapshot)
    let filled = (session.state.texts?.filled ?? []).words(in: record.documentID)
    // A session may have continued in another language since. The hash on the record says which text was shown.
    var made: [(document: ScriptDocument, texts: ScreenTexts)] = []
    for name in session.locale == record.locale ? [record.locale] : [session.locale, record.locale] {
      guard let locale = LocaleTag(name), let standIn = LocaleTag(flow.definition?.defaultLocale ?? "") else {
        continue
      }
      let texts = ScreenTexts(locale: locale, standIn: standIn, own: own)
      made.append((try ScriptLoader.document(version, texts: texts).filled(filled, texts), texts))
      if made.last?.document.review.hash == record.shownHash { break }
    }
    let same = made.first { $0.document.review.hash == record.shownHash }
    guard let (document, texts) = same ?? made.first(where: { $0.document.text.locale == record.locale }) ?? made.first
    else {
      throw CopyProblem(.failed, "shown_differs", "the language in which the document was shown is not known")
    }
    let shown = same == nil ? try markup(shownFor: record, snapshot) : nil
    var paper = try paper(
      of: record, document, shown: shown, texts, born: session.state.statedBirthDate?.checked, snapshot)
    if isSoFar { paper.watermark = texts[.unfinishedMark] }
    if record.test { paper.watermark = texts[.testMark] }
    return paper
  }

  /// The stored content that was shown: the page as it was composed then, since later releases may use other words, or
  /// the text that an app says it showed on screens of its own.
  private static func markup(shownFor record: ConsentRecord, _ snapshot: Snapshot) throws -> String {
    switch try RecordStore.shown(on: record, snapshot) {
    case .composed(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .named(let page): return String(decoding: page.bytes, as: UTF8.self)
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
    of record: ConsentRecord, _ document: ScriptDocument, shown: String?, _ texts: ScreenTexts, born: CalendarDay?,
    _ snapshot: Snapshot
  ) throws -> CopyPaper {
    let secrets = try RecordStore.secrets(record.recordID, of: record.subjectID, snapshot)
    let needed = Set(Signing.needed(document.settings, record.ageCheck).map(\.id))
    let signers = document.settings.signatures.filter { definition in
      needed.contains(definition.id) || record.signatures.contains { $0.signatureID == definition.id }
    }
    var signatures = record.signatures
    var images: [String: CopyImage] = [:]
    for index in signatures.indices {
      let id = signatures[index].signatureID
      let secret = secrets.signatures.first { $0.signatureID == id }
      signatures[index].open(secrets)
      if !signatures[index].fieldID.isEmpty {
        images[id] = .saved(signatures[index].savedSignatureID, hash: signatures[index].strokesHash)
      } else if let typed = secret?.typed {
        images[id] = .typed(typed)
      }
    }
    let last = record.signatures.compactMap { $0.signedAt?.clamped }.max() ?? record.decidedAt.orEpoch
    var paper = try self.paper(
      document, shown: shown, hasFile: !record.fileHash.isEmpty, texts, of: record.studyID, signers: signers,
      signatures: signatures, created: last, snapshot)
    paper.images = images
    var decided = record
    decided.sharing = try RecordStore.record(record.recordID, snapshot).history.first?.sharing ?? .unspecified
    paper.choices = ChoicePart(document, texts).markup(of: decided, entered: secrets.entered)
    let name = signatures.first { $0.role == .participant && !$0.printedName.isEmpty }?.printedName ?? ""
    let own = texts.speaking(document.text.locale)
    let birth = born.map { own.filled(.bornOn, ["date": $0.description]) } ?? ""
    paper.review.footer = document.footer(texts, about: [name, birth])
    return paper
  }

  /// The paper of a document with its signatures.
  ///
  /// - Parameters:
  ///   - signers: the signatures for which it has a place.
  ///   - shown: the markup that was shown, if it is not what the document is composed to now; nil if it is.
  ///   - hasFile: whether the document's file was shown, if it has one.
  static func paper(
    _ document: ScriptDocument, shown: String? = nil, hasFile: Bool = true, _ texts: ScreenTexts, of studyID: String,
    signers: [SignatureDefinition], signatures: [RecordSignature] = [], created: Instant, _ snapshot: Snapshot
  ) throws -> CopyPaper {
    var settings = document.settings
    settings.signatures = signers
    let composer = ReviewComposer(settings: settings, text: document.text, texts: texts)
    var paper = CopyPaper(review: composer.document(signatures: signatures, typed: [:]), created: created)
    if let shown { (paper.review.separateHTML, paper.review.sections) = (shown, []) }
    // Our own words are in the document's language where we have them in it; else their language is stated.
    let own = texts.speaking(document.text.locale)
    for definition in signers {
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
    let name = try StudyStore.study(studyID, snapshot).name(for: own.locale)
    (paper.header, paper.author) = (name, name)
    paper.review.footer = document.footer(texts, about: [])
    return paper
  }

  /// A consent on paper: a cover page that says what it is, and the scan.
  private static func scanned(
    _ record: ConsentRecord, _ version: DocumentVersion, _ snapshot: Snapshot
  ) throws -> CopyPaper {
    guard let locale = LocaleTag(record.locale), let standIn = LocaleTag(version.content?.defaultLocale ?? ""),
      let scan = try RecordStore.scan(of: record, snapshot)
    else { throw CopyProblem(.failed, "shown_differs", "the language of the paper is not known") }
    let texts = ScreenTexts(locale: locale, standIn: standIn)
    let document = try ScriptLoader.document(version, texts: texts)
    var whole = try RecordStore.record(record.recordID, snapshot)
    whole.attestedBy = try RecordStore.secrets(record.recordID, of: record.subjectID, snapshot).attestedBy
    let created = whole.history.first?.at?.clamped ?? whole.decidedAt.orEpoch
    var paper = try self.paper(
      document, hasFile: false, texts, of: record.studyID, signers: [], created: created, snapshot)
    let cover = CoverPage(document, texts)
    let picture = ScanPicture.asset(scan.bytes)
    paper.review.separateHTML = cover.markup(of: whole, picture: picture?.hash)
    paper.review.sections = []
    paper.review.signaturePage?.content = ""
    paper.choices = ChoicePart(document, texts).markup(of: whole, entered: [])
    paper.pictures = picture.map { [$0] } ?? []
    if picture == nil {
      let own = texts.speaking(document.text.locale)
      paper.scan = CopyScan(bytes: scan.bytes, name: own[.paperScan])
      let type = PaperRules.mediaType(of: scan.bytes) ?? "application/octet-stream"
      paper.attachments = [
        CopyAttachment(
          name: "scan.\(type.split(separator: "/").last ?? "bin")", mediaType: type, description: document.text.title,
          bytes: scan.bytes)
      ]
    }
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
