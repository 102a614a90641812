import Base
import Bus
import ConsentContract
import RPC
import ServiceKit
import TestSupport
import Testing
import Wire

/// `assent documents` with a real gateway and a real ConsentService.
@Suite(.serialized) struct DocumentsCommandTests {
  private static let sample = Repository.path("samples/clinical-study/document.json")

  private struct Place {
    let system: TestSystem
    let connection: BusConnection
    let client: ConsentClients

    /// Runs `assent documents` to its end.
    func run(_ words: String...) async throws -> (exit: ProcessExit, lines: [String], log: [String]) {
      let program = try await RunningProgram.start(
        "assent", ["documents"] + words + ["--bus-folder", system.busFolder])
      let exit = await program.wait()
      return (exit, program.lines, program.logLines)
    }
  }

  private func open() async throws -> Place {
    let system = try await TestSystem.start()
    let keyFile = system.folder.file("master.key")
    try Files.write(Array(String(repeating: "5a", count: 32).utf8), to: keyFile, mode: 0o600)
    _ = try await system.startWorker(
      "ConsentService", ["--data", system.folder.file("data"), "--master-key-file", keyFile])
    let connection = try await system.connect()
    let client = ConsentClients(
      connection.channel.acting(
        for: CallerIdentity(kind: .person, tenant: "main", subject: "admin", grants: ["admin@*"])))
    _ = try await client.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: "walking", name: "Walking")), deadline: .seconds(30),
      options: CallOptions(waitsForReady: true))
    return Place(system: system, connection: connection, client: client)
  }

  @Test("a document file is validated, imported, published and exported, and the export can be imported")
  func roundTrip() async throws {
    let place = try await open()
    let validated = try await place.run("validate", Self.sample)
    #expect(validated.exit == .code(0) && validated.lines.last?.hasSuffix("may be published") == true)
    let imported = try await place.run("import", Self.sample, "--study", "walking")
    #expect(imported.exit == .code(0), "\(imported.log)")
    #expect(imported.lines.first?.hasPrefix("✓ walking-consent version 1, draft") == true)
    let published = try await place.run("publish", "walking-consent")
    #expect(published.exit == .code(0))
    let version = try await place.client.documents.getDocument(
      GetDocumentRequest(documentID: "walking-consent")
    ).version
    #expect(published.lines == ["✓ walking-consent version 1 published, \(version?.versionHash ?? "?")"])
    let file = place.system.folder.file("exported.json")
    let exported = try await place.run("export", "walking-consent", "--output", file)
    #expect(exported.exit == .code(0) && exported.lines == ["✓ \(file)"])
    let before = try DocumentFile(json: try Files.read(Self.sample))
    let after = try DocumentFile(json: try Files.read(file))
    #expect(after.documentID == before.documentID && after.versionHash == version?.versionHash)
    #expect(after.content?.texts.map(\.locale).sorted() == before.content?.texts.map(\.locale).sorted())
    let again = try await place.run("import", file, "--study", "walking")
    #expect(again.lines.first?.hasPrefix("✓ walking-consent version 2, draft") == true, "\(again.log)")
    try await place.connection.close()
  }

  @Test("a study is created with its first document, and left alone when it exists")
  func newStudy() async throws {
    let place = try await open()
    for made in [true, false] {
      let imported = try await place.run("import", Self.sample, "--study", "running", "--study-name", "Running")
      #expect(imported.exit == .code(0) && imported.lines.contains("✓ study 'running'") == made, "\(imported.log)")
    }
    _ = try await place.client.studies.updateStudy(
      UpdateStudyRequest(study: ConsentStudy(studyID: "running", name: "Running", secondPerson: true)))
    _ = try await place.run("import", Self.sample, "--study", "running", "--study-name", "Other")
    #expect(try await place.client.studies.listStudies(ListStudiesRequest()).studies.first?.secondPerson == true)
    let asked = try await place.run("publish", "walking-consent", "--as", "pia")
    #expect(asked.lines == ["… walking-consent version 1 waits for a second person's approval"])
    let alone = try await place.run("publish", "walking-consent", "--as", "pia")
    #expect(alone.exit == .code(1) && alone.log.contains { $0.contains("second_person_needed") })
    let approved = try await place.run("publish", "walking-consent", "--as", "paul")
    #expect(approved.exit == .code(0), "\(approved.log)")
    try await place.connection.close()
  }

  @Test("problems are reported in words, with the file, and the command fails")
  func refusals() async throws {
    let place = try await open()
    let broken = place.system.folder.file("broken.json")
    try Files.write(
      Array(#"{"format": 1, "documentId": "x", "content": {"defaultLocale": "en", "texts": [}"#.utf8), to: broken)
    let unread = try await place.run("import", broken, "--study", "walking")
    #expect(unread.exit == .code(1) && unread.log.contains { $0.contains("broken.json") })
    let empty = place.system.folder.file("empty.json")
    try Files.write(Array(#"{"format": 1, "documentId": "x", "content": {"defaultLocale": "en"}}"#.utf8), to: empty)
    let invalid = try await place.run("validate", empty)
    #expect(invalid.exit == .code(1) && invalid.log.contains { $0.contains("prevent publishing") })
    #expect(invalid.lines.contains { $0.contains("✗") }, "all problems are listed")
    let homeless = try await place.run("import", Self.sample)
    #expect(homeless.exit == .code(1) && homeless.log.contains { $0.contains("--study is missing") })
    let elsewhere = try await place.run("import", Self.sample, "--study", "running")
    #expect(elsewhere.exit == .code(1) && elsewhere.log.contains { $0.contains("there is no study 'running'") })
    let unknown = try await place.run("publish", "no-such-document")
    #expect(unknown.exit == .code(1) && unknown.log.contains { $0.contains("there is no document 'no-such-document'") })
    try await place.connection.close()
  }
}
