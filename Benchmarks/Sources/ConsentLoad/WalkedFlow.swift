internal import Base
internal import BenchKit
package import ConsentContract
internal import RPC
internal import Synchronization

/// A study with a flow of twelve screens, and people who walk it to the end.
package struct WalkedFlow {
  package static let study = "bench"
  package static let documentID = "bench-study"
  package static let purpose = "research"
  package static let flowID = "twelve"

  private let app: ConsentClients
  private let numbers = Counter()

  /// Makes study, document and flow, unless they exist from an earlier run.
  package static func open(on system: ConsentSystem) async throws -> WalkedFlow {
    try await open(for: system.app, madeBy: system.admin)
  }

  /// The same for somebody who walks and somebody who makes it.
  package static func open(for app: ConsentClients, madeBy admin: ConsentClients) async throws -> WalkedFlow {
    let flow = WalkedFlow(app: app)
    let waiting = CallOptions(waitsForReady: true)
    let studies = try await admin.studies.listStudies(ListStudiesRequest(), deadline: .seconds(30), options: waiting)
      .studies
    guard studies.isEmpty else { return flow }
    _ = try await admin.studies.createStudy(CreateStudyRequest(study: ConsentStudy(studyID: study, name: "Bench")))
    let draft = try await admin.documents.importDocument(
      ImportDocumentRequest(
        studyID: study, file: DocumentFile(format: 1, documentID: documentID, name: "Bench", content: content)))
    _ = try await admin.documents.publishDocumentDraft(
      PublishDocumentDraftRequest(documentID: documentID, expectedRevision: draft.version?.revision ?? 0))
    let steps = try await admin.flows.createFlow(
      CreateFlowRequest(studyID: study, flowID: flowID, name: "Twelve screens", definition: definition))
    _ = try await admin.flows.publishFlowDraft(
      PublishFlowDraftRequest(flowID: flowID, expectedRevision: steps.version?.revision ?? 0))
    return flow
  }

  /// One person's walk to the end; returns the number of calls.
  @discardableResult
  package func walk(subject: String = "") async throws -> Int {
    let start = try await app.sessions.startSession(
      StartSessionRequest(flowID: Self.flowID, subjectID: subject, clientSchema: 2))
    guard var view = start.session else { throw WalkStopped(offered: []) }
    var calls = 1
    while let screen = view.screen, !screen.offered.isEmpty {
      let request = ActOnSessionRequest(
        sessionID: view.sessionID, expectedVersion: view.version, action: try Self.action(on: screen), clientSchema: 2)
      guard let next = try await app.sessions.actOnSession(request).session else {
        throw WalkStopped(offered: screen.offered)
      }
      view = next
      calls += 1
    }
    guard view.outcome == .completed else { throw WalkStopped(offered: []) }
    return calls
  }

  /// Has people walk whose consent `check(subject:)` asks for: it knows a hundred.
  package func walkForChecks(people: Int = 100) async throws {
    for subject in 0..<people { try await walk(subject: "checked-\(subject)") }
  }

  /// Walks with the given number of people at a time; returns the nanoseconds per flow.
  package func walk(people: Int, flows: Int) async throws -> Double {
    let start = Clock.system.monotonic
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<people {
        group.addTask { for _ in 0..<(flows / people) { try await walk() } }
      }
      try await group.waitForAll()
    }
    return Double((Clock.system.monotonic - start).wholeNanoseconds) / Double(flows / people * people)
  }

  private static func action(on screen: ConsentScreen) throws -> FlowAction {
    let wanted: [ActionKind] = [
      .next, .allow, .answer, .share, .scrolledToEnd, .agree, .enterName, .sign, .done, .confirm,
    ]
    guard let kind = wanted.first(where: screen.offered.contains) else { throw WalkStopped(offered: screen.offered) }
    var action = FlowAction(kind: kind)
    switch kind {
    case .answer:
      action.answers = screen.questions.map {
        QuestionAnswer(questionID: $0.id, choiceIDs: [$0.choices.first?.id ?? ""])
      }
    case .share: action.sharing = .wide
    case .enterName: action.name = PersonName(given: "Ada", family: "Lovelace")
    case .sign: action.signature = SignatureInput(image: .typed(TypedSignature(text: "Ada Lovelace", font: "script")))
    default: break
    }
    return action
  }
}

extension ConsentClients {
  /// Asks for the consent of one of the hundred people, in turn, which is in force.
  package func check(subject number: Int) async throws {
    let question = CheckConsentRequest(
      studyID: WalkedFlow.study, subjectID: "checked-\(number % 100)", purpose: WalkedFlow.purpose)
    guard try await records.checkConsent(question).answer?.permitted == true else { throw NotPermitted() }
  }
}

private struct NotPermitted: Error, CustomStringConvertible {
  var description: String { "a consent in force permits nothing" }
}

package struct WalkStopped: Error {
  package let offered: [ActionKind]
}

/// Numbers of which each is given out once.
package final class Counter: Sendable {
  private let value = Mutex(0)

  package init() {}

  package func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}
