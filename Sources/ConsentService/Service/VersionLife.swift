internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import ServicePolicy
internal import Storage
internal import Wire

/// What happens to versions of documents and of flows: drafts are begun, written, discarded and published, versions are
/// retired, stopped and reinstated. Each change is stored together with its event.
extension VersionStore {
  private static var field: String { "\(tables.word)_id" }

  /// The identifier of something new, as its author chose it or made here.
  static func free(_ id: String, _ identifiers: IdentifierSource, _ transaction: Transaction) throws -> String {
    let id = try identifiers.chosen(id, field)
    guard try find(id, transaction) == nil else {
      throw Refusal(
        .alreadyExists, "\(tables.word)_exists", field: field, "there is a \(tables.word) '\(id)' already")
    }
    return id
  }

  // MARK: Drafts

  static func requireNoDraft(of thing: Thing) throws(Refusal) {
    guard thing.draftVersion != 0 else { return }
    let message = "\(tables.word) '\(thing.id)' already has a draft, version \(thing.draftVersion)"
    throw Refusal(.alreadyExists, "draft_exists", field: field, message)
  }

  /// The content with which a new draft begins; nil if the only draft was discarded.
  static func newestContent(of thing: Thing, _ transaction: Transaction) throws -> Version.Content? {
    guard try newestKept(of: thing, transaction) != 0 else { return nil }
    return try version(orNewest: 0, of: thing, transaction).content
  }

  static func beginDraft(
    of thing: Thing, _ content: Version.Content, _ transaction: Transaction, _ caller: Caller
  ) throws -> Version {
    var thing = thing
    thing.draftVersion = try newNumber(of: thing.id, transaction)
    var version = thing.version(thing.draftVersion)
    (version.revision, version.content) = (1, content)
    try save(thing, transaction)
    try save(version, transaction)
    try transaction.note(ConsentEvent(.draftChanged, of: thing, version), by: caller)
    return version
  }

  /// The draft that the caller edits or publishes, at the revision that they have seen.
  ///
  /// - Parameter rule: the rule of the refusal if there is none.
  static func draft(
    of thing: Thing, revision: Int32, rule: String = "no_draft", _ transaction: Transaction
  ) throws -> Version {
    guard thing.draftVersion != 0 else {
      let message = "\(tables.word) '\(thing.id)' has no draft; published versions never change"
      throw Refusal(.precondition, rule, field: field, message)
    }
    let version = try version(thing.draftVersion, of: thing, transaction)
    try Publishing.require(revision, draftAt: version.revision)
    return version
  }

  /// Stores what an author wrote as the next revision of a draft. An edit withdraws the request for approval, so that
  /// nobody approves a text that changed after it.
  static func store(
    _ content: Version.Content, in version: inout Version, of thing: Thing, _ transaction: Transaction, _ caller: Caller
  ) throws {
    version.content = content
    version.revision = try version.revision.following("the revision of the draft")
    (version.state, version.publishedBy) = (.draft, "")
    try save(written: version, transaction)
    try transaction.note(ConsentEvent(.draftChanged, of: thing, version), by: caller)
  }

  static func discardDraft(
    of known: Thing, revision: Int32, _ transaction: Transaction, _ caller: Caller
  ) throws -> Thing {
    var (thing, version) = (known, try draft(of: known, revision: revision, transaction))
    (version.state, version.content, version.publishedBy) = (.discarded, nil, "")
    thing.draftVersion = 0
    try save(version, transaction)
    try save(thing, transaction)
    var event = ConsentEvent(.draftChanged, of: thing, version)
    event.note = "discarded"
    try transaction.note(event, by: caller)
    return thing
  }

  // MARK: Publishing

  /// Publishes a draft. In a study that asks for a second person, the first call has the draft wait for approval.
  ///
  /// - Parameters:
  ///   - problems: those of the draft; with an error among them it is refused.
  ///   - complete: names the content by its hashes, and does what else belongs to the publication.
  static func publishDraft(
    of known: Thing, revision: Int32, _ transaction: Transaction, _ caller: Caller,
    problems: (Version) throws -> [Problem], completing complete: (inout Version) throws -> Void
  ) throws -> Version {
    var (thing, version) = (
      known, try draft(of: known, revision: revision, rule: "already_published", transaction)
    )
    try Publishing.refuse(try problems(version))
    let study = try StudyStore.study(thing.studyID, transaction)
    if study.secondPerson, version.state == .draft {
      (version.state, version.publishedBy) = (.awaitingApproval, try Approver(caller, field: field, transaction).name)
      try save(version, transaction)
      try transaction.note(ConsentEvent(.approvalRequested, of: thing, version), by: caller)
      return version
    }
    if version.state == .awaitingApproval {
      let second = try Approver(caller, field: field, transaction)
      try Publishing.requireSecond(second, after: version.publishedBy, field: field, study: study.studyID)
      version.approvedBy = second.name
    } else {
      version.publishedBy = caller.actor
    }
    (version.state, version.publishedAt) = (.published, Timestamp(transaction.now))
    try noteReplaced(thing, transaction)
    try complete(&version)
    (thing.publishedVersion, thing.draftVersion) = (version.version, 0)
    try save(version, transaction)
    try save(thing, transaction)
    try transaction.note(ConsentEvent(.versionPublished, of: thing, version), by: caller)
    return version
  }

  // MARK: The end of versions

  /// Notes when the published version was replaced by another one: visits that were prepared before may still begin on
  /// it for a while.
  private static func noteReplaced(_ thing: Thing, _ transaction: Transaction) throws {
    guard thing.publishedVersion != 0 else { return }
    var earlier = try version(thing.publishedVersion, of: thing, transaction)
    guard earlier.endedAt == nil else { return }
    earlier.endedAt = Timestamp(transaction.now)
    try save(earlier, transaction)
  }

  /// Retires or stops a version. Ending one that has ended in the same way changes nothing: the call may be repeated.
  static func end(
    _ number: Int32, of thing: Thing, as state: VersionState, _ reason: String, _ transaction: Transaction,
    _ caller: Caller
  ) throws -> Version {
    var (thing, version) = (thing, try version(number, of: thing, transaction))
    if version.state == state { return version }
    guard version.state == .published || (state == .stopped && version.state == .retired) else {
      let message = "version \(number) of '\(thing.id)' is \(version.state.word); it cannot be \(state.word)"
      throw Refusal(.precondition, "not_published", field: "version", message)
    }
    try Refusal.requireShort(reason)
    (version.state, version.endedReason) = (state, reason)
    version.endedAt = version.endedAt ?? Timestamp(transaction.now)
    try save(version, transaction)
    if thing.publishedVersion == number {
      thing.publishedVersion = 0
      try save(thing, transaction)
    }
    try transaction.note(
      ConsentEvent(state == .stopped ? .versionStopped : .versionRetired, of: thing, version), by: caller)
    return version
  }

  /// Puts a retired version in place again. For the published one this changes nothing: the call may be repeated. A
  /// flow's version stays published when a newer one is published; it counts as retired here.
  static func reinstate(
    _ number: Int32, of thing: Thing, demands: [ReconsentDemand] = [], _ transaction: Transaction, _ caller: Caller
  ) throws -> Version {
    var (thing, version) = (thing, try version(number, of: thing, transaction))
    if number == thing.publishedVersion { return version }
    let state: VersionState = version.state == .published ? .retired : version.state
    try Publishing.requireReinstatable(state, number, published: thing.publishedVersion, demands: demands)
    (version.state, version.endedReason, version.endedAt) = (.published, "", nil)
    thing.publishedVersion = number
    try save(version, transaction)
    try save(thing, transaction)
    try transaction.note(ConsentEvent(.versionReinstated, of: thing, version), by: caller)
    return version
  }
}

extension ConsentEvent {
  /// - Parameter hash: nil for the version's own.
  init<Thing: Versioned>(
    _ kind: ConsentEventKind, of thing: Thing, _ version: Thing.Store.Version, hash: String? = nil
  ) {
    self.init(kind: kind, studyID: thing.studyID, version: version.version, hash: hash ?? version.versionHash)
    self[keyPath: Thing.eventID] = thing.id
  }
}
