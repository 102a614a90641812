import AccountContract
import AccountService
import Base
import ConsentContract
import RPC
import ServicePolicy
import SignatureContract
import Storage
import Synchronization
import Wire

/// Replaces the other services: it carries calls out once per key, as they do, and a test states what fails.
final class KnownPeers: SyncPeers, MergeNews {
  struct Effect: Hashable, Sendable {
    let method: String
    let person: String
    let device: String
    let request: [UInt8]
    let grants: [String]
    /// Whether a later no overtakes the yes, which then needs attention.
    var isOvertaken = false
  }

  /// A signature that a record waits for, and who may give it: a person, or whoever has a role.
  struct KnownTask: Sendable {
    let task: SigningTask
    var person = ""
    var role = ""

    func isOpen(to caller: CallerIdentity) -> Bool { caller.subject == person || caller.grants.contains(role) }
  }

  private struct KnownSession {
    let view: SessionView
    let subject: String
  }

  private struct State {
    var fields: [String: FieldView] = [:]
    var fieldChanges: [ChangedField] = []
    var fieldsAway: Status?
    var tasks: [KnownTask] = []
    var effects: [Effect] = []
    var answers: [String: [UInt8]] = [:]
    private(set) var events: [ConsentEvent] = []
    /// By these a position tells an event from another one of its number.
    private var marks: [Int] = []
    private var lastMark = 0
    var records: [String: ConsentRecord] = [:]
    var sessions: [String: KnownSession] = [:]
    var fault: @Sendable (Effect) -> Status? = { _ in nil }
    /// Whose account each ended one was merged into.
    var merged: [String: String] = [:]
    var readFault: @Sendable (String) -> Status? = { _ in nil }
    var meanwhile: @Sendable (Effect) async -> Void = { _ in }
    var whileFollowing: @Sendable () -> Void = {}
    var calls = 0
    /// The schemas of screens that sessions and their tables were asked for with.
    var schemas: [Int32] = []
    /// The keys of calls that were to have an effect.
    var keys: [String] = []
    /// How much longer answers are than they need be.
    var padding = 0

    mutating func append(_ event: ConsentEvent) {
      lastMark += 1
      events.append(event)
      marks.append(lastMark)
    }

    mutating func removeEvents(after count: Int) {
      for event in events.dropFirst(count) where event.entry == .given { records[event.recordID] = nil }
      events.removeLast(events.count - count)
      marks.removeLast(marks.count - count)
    }

    /// The token of the position after so many events.
    func token(after count: Int) -> String {
      count == 0 ? "" : "\(count).\(marks[count - 1])"
    }

    /// How many events stand before a position; nil for one that the log does not have.
    func count(before token: String) -> Int? {
      if token.isEmpty { return 0 }
      let count = token.split(separator: ".").first.flatMap { Int($0) } ?? 0
      return count <= events.count && (!token.contains(".") || token == self.token(after: count)) ? count : nil
    }

    /// Whether what is a subject's is shown to a person.
    func shows(_ subject: String?, to person: String) -> Bool {
      guard var owner = subject else { return false }
      while owner != person, let next = merged[owner] { owner = next }
      return owner == person
    }

    func session(_ id: String, of person: String) throws(Status) -> SessionView {
      guard let session = sessions[id], shows(session.subject, to: person) else {
        throw Status(.notFound, "unknown_session: there is no session '\(id)'")
      }
      return session.view
    }

    /// As ConsentService decides it for one document: a withdrawal, or a denial in another session, overtakes a yes if
    /// it came after what its own subject had seen, and after the session began.
    func isOvertaken(_ effect: Effect, _ seen: Int64) -> Bool {
      let session =
        effect.method == "ActOnSession"
        ? (try? ActOnSessionRequest(decoding: effect.request))?.sessionID
        : (try? SubmitOfflineWalkRequest(decoding: effect.request))?.sessionID
      let start = events.firstIndex { $0.kind == .sessionStarted && $0.sessionID == session }
      let subject = start.map { events[$0].subjectID } ?? effect.person
      let floor = max(start.map { $0 + 1 } ?? 0, subject == effect.person ? Int(seen) : 0)
      return events.dropFirst(floor).contains { event in
        guard event.subjectID == subject else { return false }
        return event.entry == .withdrawn || event.entry == .declined && event.sessionID != session
      }
    }
  }

  private let state = Mutex(State())

  var effects: [Effect] { state.withLock { $0.effects } }
  var calls: Int { state.withLock { $0.calls } }
  var keys: [String] { state.withLock { $0.keys } }
  var schemas: [Int32] { state.withLock { $0.schemas } }

  /// Calls for which this gives a status fail with it, before they have an effect.
  func fail(_ fault: @escaping @Sendable (Effect) -> Status?) { state.withLock { $0.fault = fault } }

  /// Time has passed: nobody remembers what was answered.
  func forgetAnswers() { state.withLock { $0.answers = [:] } }

  func pad(_ bytes: Int) { state.withLock { $0.padding = bytes } }

  /// Reads by methods for which this gives a status fail with it.
  /// What happens while news are asked for.
  func whileFollowing(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.whileFollowing = work } }
  func failReads(_ fault: @escaping @Sendable (String) -> Status?) { state.withLock { $0.readFault = fault } }

  /// What happens elsewhere while a call is under way.
  func meanwhile(_ action: @escaping @Sendable (Effect) async -> Void) { state.withLock { $0.meanwhile = action } }

  func happen(_ event: ConsentEvent) { state.withLock { $0.append(event) } }

  /// ConsentService's database is one from a backup, made after so many events.
  func restoreEvents(upTo count: Int) { state.withLock { $0.removeEvents(after: count) } }

  func tellConsent(_ ended: String, into staying: String, tenant: Tenant) { note(ended, into: staying) }
  func tellSignatures(_ ended: String, into staying: String, tenant: Tenant) { note(ended, into: staying) }

  private func note(_ ended: String, into staying: String) { state.withLock { $0.merged[ended] = staying } }

  func store(_ field: FieldView) {
    let change = ChangedField(fieldID: field.fieldID, subjectID: field.reference?.subjectID ?? "")
    state.withLock { state in
      state.fields[field.fieldID] = field
      state.fieldChanges.append(change)
    }
  }

  /// The field is no longer shown to anybody.
  func hide(_ field: FieldView) {
    store(field)
    state.withLock { $0.fields[field.fieldID] = nil }
  }

  /// SignatureService alone erases what a field has of its signer.
  func erase(_ field: FieldView) {
    let change = ChangedField(
      fieldID: field.fieldID, subjectID: field.reference?.subjectID ?? "", isErased: true)
    state.withLock { state in
      state.fields[field.fieldID] = nil
      state.fieldChanges.append(change)
    }
  }

  /// From here on SignatureService answers with a status; with nil it is there again.
  func takeFieldsAway(_ status: Status?) { state.withLock { $0.fieldsAway = status } }

  func set(_ tasks: [KnownTask]) { state.withLock { $0.tasks = tasks } }

  func store(_ record: ConsentRecord, by kind: ConsentEventKind = .recordEntry) {
    state.withLock { state in
      state.records[record.recordID] = record
      let entry: EntryKind = kind == .recordEntry ? .given : .unspecified
      state.append(ConsentEvent(kind: kind, subjectID: record.subjectID, recordID: record.recordID, entry: entry))
    }
  }

  /// A session as ConsentService shows it, and with a table of what lies ahead.
  func store(_ session: SessionView, of subject: String) {
    state.withLock { state in
      state.sessions[session.sessionID] = KnownSession(view: session, subject: subject)
      state.append(ConsentEvent(kind: .sessionStarted, subjectID: subject, sessionID: session.sessionID))
    }
  }

  func perform(
    _ method: MethodDescriptor, _ request: [UInt8], as caller: CallerIdentity, key: String, _ metadata: Metadata
  ) async throws(Status) -> [UInt8] {
    await Task.yield()
    let effect = Effect(
      method: method.name, person: caller.subject, device: caller.device, request: request, grants: caller.grants)
    await state.withLock(\.meanwhile)(effect)
    return try state.withLock { state throws(Status) in
      state.calls += 1
      if !key.isEmpty { state.keys.append(key) }
      if key.isEmpty, let fault = state.readFault(method.name) { throw fault }
      if method.name == "GetRecord" {
        let id = (try? GetRecordRequest(decoding: request))?.recordID ?? ""
        guard let record = state.records[id], state.shows(record.subjectID, to: caller.subject) else {
          throw Status(.notFound, "unknown_record: there is no record '\(id)'")
        }
        return (try? GetRecordResponse(record: record).encoded()) ?? []
      }
      if method.name == "GetField" {
        if let away = state.fieldsAway { throw away }
        let id = (try? GetFieldRequest(decoding: request))?.fieldID ?? ""
        guard let field = state.fields[id], state.shows(field.reference?.subjectID, to: caller.subject) else {
          throw Status(.notFound, "unknown_field: there is no field '\(id)'")
        }
        return (try? GetFieldResponse(view: field).encoded()) ?? []
      }
      if method.name == "ListSigningTasks" {
        let asked = (try? ListSigningTasksRequest(decoding: request)) ?? ListSigningTasksRequest()
        let open = state.tasks.filter { known in
          known.isOpen(to: caller) && [known.task.recordID, ""].contains(asked.recordID)
            && [known.task.studyID, ""].contains(asked.studyID)
        }
        return (try? ListSigningTasksResponse(tasks: open.map(\.task)).encoded()) ?? []
      }
      if method.name == "GetSession" {
        let asked = (try? GetSessionRequest(decoding: request)) ?? GetSessionRequest()
        state.schemas.append(asked.clientSchema)
        let session = try state.session(asked.sessionID, of: caller.subject)
        return (try? GetSessionResponse(session: session).encoded()) ?? []
      }
      if method.name == "GetOfflineBundle" {
        let asked = (try? GetOfflineBundleRequest(decoding: request)) ?? GetOfflineBundleRequest()
        state.schemas.append(asked.clientSchema)
        let session = try state.session(asked.sessionID, of: caller.subject)
        let bundle = OfflineBundle(sessionID: session.sessionID)
        return (try? GetOfflineBundleResponse(bundle: bundle).encoded()) ?? []
      }
      if let known = state.answers["\(caller.subject)/\(key)"] { return known }
      if let fault = state.fault(effect) { throw fault }
      var overtakable = effect
      if let seen = metadata[QueuedCall.seenWithdrawal] {
        let isKnown = state.count(before: metadata[QueuedCall.knownPosition] ?? "") != nil
        overtakable.isOvertaken = state.isOvertaken(effect, isKnown ? Int64(seen) ?? 0 : 0)
      }
      state.effects.append(overtakable)
      let answer = Array("answer \(state.effects.count)".utf8) + [UInt8](repeating: 46, count: state.padding)
      state.answers["\(caller.subject)/\(key)"] = answer
      return answer
    }
  }

  func consentEvents(after token: String, of tenant: Tenant) async throws -> (events: [ConsentEvent], next: String) {
    state.withLock(\.whileFollowing)()
    return try state.withLock { state in
      guard let start = state.count(before: token) else {
        throw Status(.failedPrecondition, "position_unknown: the log was restored")
      }
      let page = state.events.enumerated().dropFirst(start).prefix(50).map { index, event in
        var numbered = event
        numbered.sequence = Int64(index + 1)
        return numbered
      }
      return (page, state.token(after: start + page.count))
    }
  }

  func fieldChanges(
    after token: String, of tenant: Tenant
  ) async throws -> (fields: [ChangedField], next: String) {
    try state.withLock { state in
      if let away = state.fieldsAway { throw away }
      let start = Int(token) ?? 0
      let page = state.fieldChanges.dropFirst(start).prefix(50)
      return (Array(page), String(start + page.count))
    }
  }
}
