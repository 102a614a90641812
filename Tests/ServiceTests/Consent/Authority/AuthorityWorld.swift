import AuthorityKit
import Base
import Bus
import ConsentContract
import ConsentDomain
import ConsentService
import RPC
import ServicePolicy
import Storage
import StorageTestKit
import Testing

/// The consent services on a real database, with two tenants, three studies and a person at each place; all of them
/// came there by calls.
struct AuthorityWorld {
  /// A person's data, and everything that a call can name about them.
  struct Target: Sendable {
    var tenant = "t1"
    var study: String
    var site: String
    var subject: String
    /// The device at which the first session was held.
    var device: String
    /// Who assists in the session that runs.
    var assistant: String
    var runningSession = ""
    var endedSession = ""
    var record = ""
    /// The code of an invitation that nobody has used.
    var invitation = ""

    var document: String { "\(tenant)-\(study)-document" }
    var flow: String { "\(tenant)-\(study)-flow" }
    /// What no answer to somebody of another tenant may have.
    var marks: [String] { [runningSession, endedSession, record] }
  }

  let bus = InProcessBus()
  let test: TestDatabase
  let handlers: [any RPCService]
  private(set) var targets: [Target] = []
  /// What is on record about people, by tenant: the same name in another one is somebody else.
  private(set) var facts: [String: Facts] = [:]

  static let places = [
    Target(study: "heart", site: "north", subject: "bea", device: "pad-bea", assistant: "asa"),
    Target(study: "heart", site: "south", subject: "ben", device: "pad-ben", assistant: "asb"),
    Target(study: "lung", site: "west", subject: "lea", device: "pad-lea", assistant: "asl"),
    Target(tenant: "t2", study: "heart", site: "north", subject: "tea", device: "pad-tea", assistant: "ast"),
  ]

  /// - Parameter forgives: whether handlers may fail, because the test alters what is stored.
  init(_ engine: TestEngine = .sqlite, forgives: Bool = false) async throws {
    test = try await engine.makeDatabase(ConsentSchema.all)
    let key = try #require(SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    let services = ConsentServices(
      database: test.database, signatures: NoFields(), papers: BusPapers(bus.channel()), accounts: KnownAccounts(),
      statementKey: key)
    handlers = services.handlers
    Self.serve(handlers, on: bus, forgives: forgives)
    var studies: Set<String> = []
    for place in Self.places {
      if studies.insert(place.document).inserted { try await open(place) }
      try await openSite(place)
      targets.append(try await enrol(place))
      facts[place.tenant, default: Facts()].stays.insert(
        Facts.Stay(person: place.subject, study: place.study, site: place.site))
      facts[place.tenant, default: Facts()].devices.insert(
        Facts.Bond(who: place.device, subject: place.subject, study: place.study))
    }
    for (guardian, target) in [("gil", targets[0]), ("gus", targets[1])] { try await register(guardian, for: target) }
  }

  private static func serve(_ handlers: [any RPCService], on bus: InProcessBus, forgives: Bool = false) {
    bus.serve(handlers, slots: 16) { error, _, method in
      if !forgives { Issue.record("\(method.name) failed: \(error)") }
    }
  }

  /// Another bus to the same services. A bus keeps its clients, and each costs time with every call.
  func anotherBus() -> InProcessBus {
    let bus = InProcessBus()
    Self.serve(handlers, on: bus)
    return bus
  }

  func end() async {
    bus.stop()
    await test.database.close()
  }

  /// A caller as a door would verify it; a service names the tenant for which it works.
  func clients(_ actor: Actor, on other: InProcessBus? = nil) -> ConsentClients {
    let (isService, bus) = (actor.kind == .service, other ?? bus)
    return ConsentClients(isService ? bus.channel().acting(for: actor.identity) : bus.channel(for: actor.identity))
  }

  private func client(_ name: String, _ grants: String..., in tenant: String) -> ConsentClients {
    clients(Actor(name: name, tenant: tenant, grants: grants))
  }

  // MARK: Setting up

  private func open(_ place: Target) async throws {
    let admin = client("ada", "admin@*", in: place.tenant)
    _ = try await admin.studies.createStudy(
      CreateStudyRequest(study: ConsentStudy(studyID: place.study, name: place.study)))
    let publisher = client("pia", "publisher@*", in: place.tenant)
    let file = DocumentFile(format: 1, documentID: place.document, name: "Consent", content: Self.content)
    let draft = try await publisher.documents.importDocument(ImportDocumentRequest(studyID: place.study, file: file))
    _ = try await publisher.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: place.document, expectedRevision: draft.version?.revision ?? 0))
    let flow = FlowDefinition(
      defaultLocale: "en",
      steps: [
        FlowStep(id: "review", step: .review(ReviewStep(documentID: place.document))),
        FlowStep(id: "end", step: .completion(CompletionStep())),
      ])
    let steps = try await publisher.flows.createFlow(
      CreateFlowRequest(studyID: place.study, flowID: place.flow, name: "Flow", definition: flow))
    try #require(steps.problems.isEmpty, "\(steps.problems)")
    _ = try await publisher.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: place.flow, expectedRevision: steps.version?.revision ?? 0))
  }

  private func openSite(_ place: Target) async throws {
    _ = try await client("ada", "admin@*", in: place.tenant).studies.createSite(
      CreateSiteRequest(site: StudySite(studyID: place.study, siteID: place.site, name: place.site)))
  }

  /// A document that is agreed to, and that a witness and an investigator sign later.
  private static var content: DocumentContent {
    let settings = DocumentSettings(
      sections: [DocumentSection(id: "privacy", type: .privacy)],
      signatures: [
        SignatureDefinition(id: "participant", role: .participant, order: 1),
        SignatureDefinition(id: "witness", role: .witness, order: 2, requiresName: true),
        SignatureDefinition(id: "investigator", role: .investigator, order: 2, requiresName: true),
      ],
      purposes: [ConsentPurpose(code: "research")], withoutScrollGate: true)
    let text = DocumentText(
      locale: "en", title: "Study",
      sections: [SectionText(sectionID: "privacy", summary: "Summary", content: "Content")],
      signatures: settings.signatures.map { SignatureText(signatureID: $0.id, title: $0.id, meaning: "I agree.") },
      purposes: [PurposeText(purposeCode: "research", title: "Research")], reviewText: "Please read.",
      reasonForConsent: "To take part.", signaturePageTitle: "Consent", signaturePageContent: "Signed by:")
    return DocumentContent(defaultLocale: "en", settings: settings, texts: [text])
  }

  private func enrol(_ place: Target) async throws -> Target {
    var target = place
    let device = clients(Actor(name: place.device, kind: .device, tenant: place.tenant))
    let start = StartSessionRequest(
      flowID: place.flow, siteID: place.site, subjectID: place.subject, locale: "en", clientSchema: 2)
    var view = try #require(try await device.sessions.startSession(start).session)
    while let screen = view.screen, let next = Self.next(screen.offered) {
      let action = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: FlowAction(kind: next), clientSchema: 2)
      view = try #require(try await device.sessions.actOnSession(action).session)
    }
    try #require(view.outcome == .completed && view.recordIDs.count == 1, "\(view)")
    (target.endedSession, target.record) = (view.sessionID, view.recordIDs[0])
    var assisted = start
    assisted.assistance = .operatesDevice
    let assistant = client(place.assistant, "coordinator@\(place.study)", in: place.tenant)
    target.runningSession = try #require(try await assistant.sessions.startSession(assisted).session).sessionID
    let invited = StudyInvitation(flowID: place.flow, siteID: place.site, subjectID: place.subject)
    target.invitation = try #require(
      try await assistant.studies.createInvitation(CreateInvitationRequest(invitation: invited)).invitation
    ).code
    return target
  }

  /// What a person does who wants to take part.
  static func next(_ offered: [ActionKind]) -> ActionKind? {
    [.next, .scrolledToEnd, .agree, .confirm, .done].first(where: offered.contains)
  }

  private mutating func register(_ guardian: String, for target: Target) async throws {
    _ = try await client("ines", "investigator@*", in: target.tenant).studies.setGuardian(
      SetGuardianRequest(
        studyID: target.study, siteID: target.site, subjectID: target.subject, guardianID: guardian,
        authority: .parent))
    facts[target.tenant, default: Facts()].guardians.insert(
      Facts.Bond(who: guardian, subject: target.subject, study: target.study))
  }
}

/// No field is ever saved.
struct NoFields: SignatureFields {
  func savedField(_ fieldID: String, tenant: Tenant) async throws -> SavedField? { nil }
  func close(_ fieldID: String, with revision: Int32, madeFor place: SignaturePlace, tenant: Tenant) async throws {}
  func picture(ofSaved signatureID: String, hash: String, tenant: Tenant) async throws -> [UInt8] { [] }
  func problem(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> Refusal? { nil }
  func picture(ofTyped typed: TypedSignature, tenant: Tenant) async throws -> [UInt8] { [] }
  func evidence(ofFields fieldIDs: [String], earlier heads: [String], tenant: Tenant) async throws -> [UInt8] { [] }
  func erase(_ subjectID: String, tenant: Tenant) async throws {}
  func hold(_ subjectID: String, _ isHeld: Bool, tenant: Tenant) async throws {}

  func trail(of studyID: String, after position: EventPosition, limit: Int, tenant: Tenant) async throws -> TrailPart {
    TrailPart(start: position, steps: [], end: position, readUntil: nil)
  }
}
