internal import Base
internal import ConsentContract
internal import RPC
internal import ServiceKit
internal import Wire

/// The settings of `assent documents`.
struct DocumentsSettings: SettingGroup {
  let tenant = Setting("tenant", default: "main", shown: "TENANT", "the tenant of the documents")
  let study = Setting("study", default: "", shown: "STUDY", "the study that an imported document belongs to")
  let studyName = Setting(
    "study-name", default: "", shown: "TEXT", "creates the study with this name, unless it exists")
  let name = Setting("as", default: "admin", shown: "NAME", "the name that goes on record for this change")
  let version = Setting("document-version", default: 0, in: 0...1_000_000, "which version to export; 0: the newest")
  let output = Setting<String?>(
    "output", default: nil, shown: "FILE", "where an export is written; standard output unless given (-o)")
  let door = DoorSettings()
}

extension Command {
  /// Consent documents as files, for authors at a shell.
  static let documents = Command(
    "documents", "imports, validates, publishes and exports consent documents", settings: DocumentsSettings(),
    operands: "ACTION", actions: actions, count: 2...2
  ) { settings in
    let door = try await ConsentDoor.open(settings.settings(of: \.door), as: "assent documents")
    let client = door.client(
      settings[\.name], tenant: settings[\.tenant], kind: .person, grants: ["admin@*", "publisher@*"])
    let target = settings.operands[1]
    switch settings.operands[0] {
    case "import": try await importFile(target, settings, client)
    case "validate": try await validate(target, client)
    case "publish": try await publish(target, client)
    case "export": try await export(target, settings, client)
    default:
      throw ConsentComplaint("'\(settings.operands[0])' is not one of import, validate, publish, export")
    }
    try await door.close()
  }

  private static let actions = [
    CommandAction(
      "import", "FILE", does: "makes a draft of a document from a file", settings: ["study", "study-name"]),
    CommandAction("validate", "FILE", does: "says what is wrong with a document's file, and changes nothing"),
    CommandAction("publish", "DOCUMENT", does: "publishes the draft of a document"),
    CommandAction(
      "export", "DOCUMENT", does: "writes a document's version as a file", settings: ["document-version", "output"]),
  ]

  private static func importFile(
    _ path: String, _ settings: Settings<DocumentsSettings>, _ client: ConsentClients
  ) async throws {
    guard !settings[\.study].isEmpty else {
      throw ConsentComplaint("--study is missing: which study does it belong to?")
    }
    let file = try read(path)
    if !settings[\.studyName].isEmpty { try await makeStudy(settings[\.study], named: settings[\.studyName], client) }
    let request = ImportDocumentRequest(studyID: settings[\.study], file: file)
    let answer = try await client.documents.importDocument(request)
    let version = answer.version ?? DocumentVersion()
    say("✓ \(version.documentID) version \(version.version), draft, revision \(version.revision)")
    tell(answer.removed)
    tell(answer.problems)
  }

  /// An existing study stays as it is.
  private static func makeStudy(_ id: String, named name: String, _ client: ConsentClients) async throws {
    do {
      _ = try await client.studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: id, name: name)))
      say("✓ study '\(id)'")
    } catch {
      guard error.code == .alreadyExists else { throw error }
    }
  }

  private static func validate(_ path: String, _ client: ConsentClients) async throws {
    let answer = try await client.documents.validateDocument(
      ValidateDocumentRequest(content: try read(path).content))
    tell(answer.removed)
    tell(answer.problems)
    let errors = answer.problems.count { $0.severity == .error }
    guard errors == 0 else {
      throw ConsentComplaint("\(path) has \(errors) problems that prevent publishing")
    }
    say("✓ \(path) may be published")
  }

  private static func publish(_ documentID: String, _ client: ConsentClients) async throws {
    let document = try await client.documents.getDocument(GetDocumentRequest(documentID: documentID)).document
    let draft = document?.draftVersion ?? 0
    guard draft != 0 else { throw ConsentComplaint("document '\(documentID)' has no draft to publish") }
    let request = GetDocumentRequest(documentID: documentID, version: draft)
    let revision = try await client.documents.getDocument(request).version?.revision ?? 0
    let version = try await client.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: documentID, expectedRevision: revision)
    ).version
    if version?.state == .awaitingApproval {
      say("… \(documentID) version \(draft) waits for a second person's approval")
    } else {
      say("✓ \(documentID) version \(draft) published, \(version?.versionHash ?? "")")
    }
  }

  private static func export(
    _ documentID: String, _ settings: Settings<DocumentsSettings>, _ client: ConsentClients
  ) async throws {
    let request = ExportDocumentRequest(documentID: documentID, version: Int32(settings[\.version]))
    let text = try await client.documents.exportDocument(request).file?.jsonText() ?? ""
    guard let output = settings[\.output] else { return say(text) }
    try Files.write(Array("\(text)\n".utf8), to: output)
    say("✓ \(output)")
  }

  private static func read(_ path: String) throws -> DocumentFile {
    do {
      return try DocumentFile(json: try Files.read(path))
    } catch let error as CodecError {
      throw ConsentComplaint("\(path): \(error)")
    }
  }

  private static func tell(_ removed: [SanitizerRemoval]) {
    for removal in removed { say("  removed from \(removal.field): \(removal.what) (\(removal.reason))") }
  }

  private static func tell(_ problems: [Problem]) {
    for problem in problems { say("  \(problem.severity == .error ? "✗" : "!") \(problem.rule): \(problem.message)") }
  }
}
