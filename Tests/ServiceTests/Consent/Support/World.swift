import Base
import Bus
import CommonContract
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Synchronization
import TestSupport
import Testing
import Webhooks
import Wire

/// A ConsentService on a real database, called over the in-process bus with any identity.
struct World {
  let test: TestDatabase
  let bus = InProcessBus()
  let clock: MovableClock
  let fields: KnownFields
  let accounts = KnownAccounts()
  let services: ConsentServices
  /// Signs heads in a world that was given a key for it.
  let signer: EvidenceSigner?
  var trusted: [VerifyingKey] { signer.map { [$0.verifyingKey] } ?? [] }

  static let study = "heart"
  /// Whose data the world's people work with. Several tenants may share an installation.
  var tenant = "t1"
  /// The connection by which everybody calls; nil: each client has one of its own, of which there may be thousands.
  var door: BusChannel?

  /// - Parameters:
  ///   - known: the database; a new one unless given.
  ///   - signatures: SignatureService, reached by this bus; the known fields unless given.
  init(
    _ engine: TestEngine = .sqlite, on known: TestDatabase? = nil, evidence key: EvidenceKey? = nil,
    webhooks: WebhookPolicy = WebhookPolicy(),
    signatures: (InProcessBus) -> (any SignatureFields)? = { _ in nil }
  ) async throws {
    let clock = MovableClock(at: Example.now)
    let made = known == nil ? try await engine.makeDatabase(ConsentSchema.all, clock: clock.clock) : nil
    let test = try #require(known ?? made)
    self.test = test
    signer = key.map { EvidenceSigner(test.database, key: $0, installation: "test") }
    fields = KnownFields()
    self.clock = clock
    services = try Self.services(
      test.database, signatures(bus) ?? fields, clock, papers: BusPapers(bus.channel()), accounts: accounts,
      evidence: signer, webhooks: webhooks)
    bus.serve(services.handlers)
  }

  static func services(
    _ database: Database, _ fields: any SignatureFields, _ clock: MovableClock,
    papers: any CopyPapers = BusPapers(InProcessBus().channel()), accounts: KnownAccounts = KnownAccounts(),
    evidence: EvidenceSigner? = nil, webhooks: WebhookPolicy = WebhookPolicy(), fileParts: FileParts = FileParts()
  ) throws -> ConsentServices {
    let key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    return ConsentServices(
      database: database, signatures: fields, papers: papers, accounts: accounts, statementKey: key,
      evidence: evidence, webhooks: webhooks, clock: clock.clock, fileParts: fileParts)
  }

  func end() async {
    bus.stop()
    await test.database.close()
  }

  func client(
    _ subject: String, _ grants: [String] = [], kind: CallerKind = .person, tenant: String? = nil,
    device: String = ""
  ) -> ConsentClients {
    let identity = CallerIdentity(
      kind: kind, tenant: tenant ?? self.tenant, subject: subject, device: device, grants: grants)
    return ConsentClients(door?.acting(for: identity) ?? bus.channel(for: identity))
  }

  var admin: ConsentClients { client("admin", ["admin@*"]) }
  var publisher: ConsentClients { client("pia", ["publisher@heart"]) }
  var app: ConsentClients { client("app", kind: .device) }
  var investigator: ConsentClients { client("ines", ["investigator@heart"]) }
  var coordinator: ConsentClients { client("carl", ["coordinator@heart"]) }

  /// A study with a published document and a published flow.
  func open(
    content: DocumentContent = Example.content(), flow: FlowDefinition = Example.flow(), secondPerson: Bool = false
  ) async throws {
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: Self.study, name: "Heart", secondPerson: secondPerson)))
    for site in ["north", "south"] {
      _ = try await admin.studies.createSite(
        CreateSiteRequest(site: StudySite(studyID: Self.study, siteID: site, name: site)))
    }
    try await publish(content)
    let draft = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: Self.study, flowID: "flow", name: "Flow", definition: flow))
    #expect(draft.problems.filter { $0.severity == .error }.isEmpty)
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: "flow", expectedRevision: draft.version?.revision ?? 0))
  }

  @discardableResult
  func publish(_ content: DocumentContent) async throws -> DocumentVersion {
    let draft = try await publisher.documents.importDocument(
      ImportDocumentRequest(
        studyID: Self.study,
        file: DocumentFile(format: 1, documentID: Example.documentID, name: "Heart study", content: content)))
    let answer = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: Example.documentID, expectedRevision: draft.version?.revision ?? 0))
    return try #require(answer.version)
  }

  /// Another draft of the flow that `open` published.
  func redraft(_ definition: FlowDefinition) async throws -> UpdateFlowDraftResponse {
    let draft = try await publisher.flows.createFlowDraft(CreateFlowDraftRequest(flowID: "flow")).version
    return try await publisher.flows.updateFlowDraft(
      UpdateFlowDraftRequest(flowID: "flow", expectedRevision: draft?.revision ?? 0, definition: definition))
  }

  /// Starts a session for a subject and walks it like a person who wants to take part.
  @discardableResult
  func walk(
    subject: String = "s1", site: String = "", test: Bool = false, locale: String = "en",
    until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> SessionView {
    let start = try await app.sessions.startSession(
      StartSessionRequest(
        flowID: "flow", siteID: site, subjectID: subject, locale: locale, clientSchema: 2, test: test))
    return try await goOn(try #require(start.session), until: isThere)
  }

  /// The same on drafts, with an invitation to test.
  @discardableResult
  func walkDraft(
    subject: String = "s1", locale: String = "en", until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> SessionView {
    let invitation = StudyInvitation(flowID: "flow", subjectID: subject, test: true)
    let made = try await coordinator.studies.createInvitation(CreateInvitationRequest(invitation: invitation))
    var request = StartSessionRequest(locale: locale, clientSchema: 2)
    request.invitationCode = try #require(made.invitation?.code)
    return try await goOn(try #require(try await app.sessions.startSession(request).session), until: isThere)
  }

  func goOn(
    _ start: SessionView, schema: Int32 = 2, until isThere: (ConsentScreen) -> Bool = { _ in false }
  ) async throws -> SessionView {
    var view = start
    while let screen = view.screen, !screen.offered.isEmpty, !isThere(screen) {
      view = try await act(view, Walker.goodAction(on: screen), schema: schema)
    }
    return view
  }

  func act(_ view: SessionView, _ action: FlowAction, schema: Int32 = 2) async throws -> SessionView {
    let answer = try await app.sessions.actOnSession(
      ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: action, clientSchema: schema))
    return try #require(answer.session)
  }

  /// What AccountService tells once it has merged two accounts.
  func merge(_ ended: String, into staying: String) async throws {
    let service = CallerIdentity(kind: .service, tenant: tenant, subject: "account")
    _ = try await ConsentClients((door ?? bus.channel()).acting(for: service)).records.noteMergedSubject(
      NoteMergedSubjectRequest(endedID: ended, stayingID: staying))
  }

  func check(_ subject: String = "s1", _ purpose: String = "research") async throws -> ConsentAnswer {
    let answer = try await app.records.checkConsent(
      CheckConsentRequest(studyID: Self.study, subjectID: subject, purpose: purpose))
    return try #require(answer.answer)
  }

  func record(of view: SessionView) async throws -> ConsentRecord {
    let id = try #require(view.recordIDs.last)
    return try #require(try await app.records.getRecord(GetRecordRequest(recordID: id)).record)
  }

  /// The records about which something is a concern.
  func concerned(_ concern: RecordConcern) async throws -> [String] {
    let request = ListRecordsRequest(studyID: Self.study, concern: concern)
    return try await coordinator.records.listRecords(request).records.map(\.recordID)
  }

  /// All events but those of reading them.
  func events() async throws -> [ConsentEvent] {
    try await admin.records.listEvents(ListEventsRequest(pageSize: 1000)).events
      .filter { $0.purpose != "list of events" }
  }
}

/// Replaces SignatureService: a test states which fields are saved.
final class KnownFields: SignatureFields {
  private let saved = Mutex<[String: SavedField]>([:])
  private let closed = Mutex<[String]>([])
  private let erasures = Mutex<[String]>([])
  private let held = Mutex<[Bool]>([])
  private let questions = Mutex(0)

  /// How often it was asked about a signature.
  var asked: Int { questions.withLock { $0 } }

  func save(_ field: String, at place: SignaturePlace, change: (inout FieldFacts) -> Void = { _ in }) {
    var facts = FieldFacts(place: place)
    change(&facts)
    let known = SavedField(
      fieldID: field, place: facts.place, isClosed: facts.isClosed, revision: facts.revision,
      savedSignatureID: "saved-\(field)", hash: Digest(of: Array(field.utf8)).hex, typedText: facts.typedText)
    saved.withLock { $0[field] = known }
  }

  /// What a test may change of a field.
  struct FieldFacts {
    var place: SignaturePlace
    var revision: Int32 = 1
    var isClosed = false
    var typedText: String?
  }

  /// The fields that were closed, with the revision.
  var closings: [String] { closed.withLock { $0 } }

  func savedField(_ fieldID: String, tenant: Tenant) async throws -> SavedField? {
    questions.withLock { $0 += 1 }
    return saved.withLock { $0[fieldID] }
  }

  func close(_ fieldID: String, with revision: Int32, madeFor place: SignaturePlace, tenant: Tenant) async throws {
    closed.withLock { $0.append("\(fieldID)@\(revision)") }
  }

  /// How making pictures fails, of which signature alone, and how often it did.
  private let failingPictures = Mutex<(status: Status?, name: String?, count: Int)>((nil, nil, 0))

  var failedPictures: Int { failingPictures.withLock { $0.count } }

  func failPictures(with status: Status?, of name: String? = nil) {
    failingPictures.withLock { ($0.status, $0.name) = (status, name) }
  }

  private func checkPicture(of name: String) throws {
    let failure: Status? = failingPictures.withLock { failing in
      guard let status = failing.status, failing.name == nil || failing.name == name else { return nil }
      failing.count += 1
      return status
    }
    if let failure { throw failure }
  }

  func picture(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> [UInt8] {
    try checkPicture(of: signatureID)
    return Array("picture of \(signatureID)".utf8)
  }

  private let unreachable = Mutex(false)

  /// Whether nobody can be asked about letters.
  var isUnreachable: Bool {
    get { unreachable.withLock { $0 } }
    set { unreachable.withLock { $0 = newValue } }
  }

  /// Letters of this script have no font here.
  func problem(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> Refusal? {
    questions.withLock { $0 += 1 }
    if isUnreachable { throw Status(.unavailable, "nobody draws names now") }
    guard typed.text.unicodeScalars.contains(where: { (0x13000...0x1342F).contains($0.value) }) else { return nil }
    let field = "signature.typed.text"
    return Refusal(.invalid, "unknown_letter", field: field, "\(field) has a letter that no font has")
  }

  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8] {
    try checkPicture(of: typed.text)
    return Array("picture of \(typed.text)".utf8)
  }

  func trail(of studyID: String, after position: EventPosition, limit: Int, tenant: Tenant) async throws -> TrailPart {
    TrailPart(start: position, steps: [], end: position, readUntil: nil)
  }

  /// Nothing is known here of the fields but that they are saved.
  func evidence(ofFields fieldIDs: [String], earlier heads: [String], tenant: Tenant) async throws -> [UInt8] {
    Array(#"{"logs":[]}"#.utf8)
  }

  var erased: [String] { erasures.withLock { $0 } }

  /// How erasing fails, and how often it did.
  private let failing = Mutex<(status: Status?, count: Int)>((nil, 0))

  var failedErasures: Int { failing.withLock { $0.count } }

  func failErasures(with status: Status?) { failing.withLock { $0.status = status } }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    let failure = failing.withLock { failing in
      if failing.status != nil { failing.count += 1 }
      return failing.status
    }
    if let failure { throw failure }
    erasures.withLock { $0.append(subjectID) }
  }

  /// What was told of holds, in order.
  var holds: [Bool] { held.withLock { $0 } }

  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws { held.withLock { $0.append(isHeld) } }
}

/// Replaces AccountService: it hears whose accounts are to be erased, and knows who has roles.
final class KnownAccounts: SubjectAccounts {
  private let erasures = Mutex<Set<String>>([])
  private let staff = Mutex<Set<String>>([])
  private let refused = Mutex(0)
  private let away = Mutex(false)

  var erased: Set<String> { erasures.withLock { $0 } }

  /// How often somebody was found to have roles.
  var refusals: Int { refused.withLock { $0 } }

  func erase(_ subjectID: String, tenant: Tenant) async throws {
    if try await hasRoles(subjectID, tenant: tenant) {
      throw Status(.failedPrecondition, rule: "has_roles", "person_id: '\(subjectID)' has roles")
    }
    erasures.withLock { _ = $0.insert(subjectID) }
  }

  func hasRoles(_ subjectID: String, tenant: Tenant) async throws -> Bool {
    if away.withLock({ $0 }) { throw Status(.unavailable, "no AccountService") }
    let works = staff.withLock { $0.contains(subjectID) }
    if works { refused.withLock { $0 += 1 } }
    return works
  }

  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws {}

  /// Answers no question about roles from now on, or answers again.
  func leave(_ isAway: Bool) { away.withLock { $0 = isAway } }

  /// Gives a person a role, or takes all away.
  func employ(_ personID: String, _ isStaff: Bool) {
    staff.withLock { staff in
      if isStaff { staff.insert(personID) } else { staff.remove(personID) }
    }
  }
}

extension Status {
  /// True for a refusal by this rule, with this code.
  func isRefusal(_ code: StatusCode, _ rule: String) -> Bool { self.code == code && message.hasPrefix("\(rule): ") }

  /// The refusal's detail for programs: field, rule and explanation.
  var info: ErrorInfo? {
    details.first { $0.typeName == ErrorInfo.messageName }.flatMap { try? ErrorInfo(decoding: $0.value) }
  }
}

/// Expects that a call is refused by a rule.
func expectRefusal(
  _ code: StatusCode, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () async throws -> some Any
) async {
  do {
    _ = try await call()
    Issue.record("not refused; expected \(rule)", sourceLocation: sourceLocation)
  } catch let status as Status {
    #expect(status.isRefusal(code, rule), "\(status)", sourceLocation: sourceLocation)
    // Every refusal names its rule and, unless it is about the caller, the past or all fields together, its field: for
    // people and for programs.
    guard let problem = status.info else { return }
    #expect(problem.rule == rule && status.message.contains(problem.field), sourceLocation: sourceLocation)
    let isOfNoField =
      code == .permissionDenied || code == .dataLoss
      || ["subject_erased", "legal_hold", "key_reused", "secret_shown", "no_evidence_key", "too_large"].contains(
        rule)
    #expect(!problem.field.isEmpty || isOfNoField, "\(status)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
}
