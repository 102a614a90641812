internal import Base
internal import ConsentContract
internal import ConsentDomain
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of StudyService.
struct StudyHandlers: StudyServiceProtocol {
  let data: ServiceDatabase
  let identifiers: IdentifierSource
  let randomness: Randomness

  init(_ parts: ConsentParts) {
    data = parts.data
    identifiers = parts.identifiers
    randomness = parts.randomness
  }

  // MARK: Studies

  func createStudy(_ request: CreateStudyRequest, context: CallContext) async throws -> CreateStudyResponse {
    try await data.once(request, context, of: .wholeTenant) { transaction, caller, _ in
      var study = request.study ?? ConsentStudy()
      study.studyID = try identifiers.chosen(study.studyID, "study.study_id")
      guard try !StudyStore.exists(study.studyID, transaction) else {
        let message = "there is a study '\(study.studyID)' already"
        throw Refusal(.alreadyExists, "study_exists", field: "study.study_id", message)
      }
      study = try StudyRules.checked(study)
      study.createdAt = Timestamp(transaction.now)
      study.pendingChange = nil
      try store(study, replacing: ConsentStudy(), transaction, caller)
      return CreateStudyResponse(study: study)
    }
  }

  func getStudy(_ request: GetStudyRequest, context: CallContext) async throws -> GetStudyResponse {
    try await data.read(context, of: .study(request.studyID)) { snapshot, _, _ in
      GetStudyResponse(study: try StudyStore.study(request.studyID, snapshot))
    }
  }

  func listStudies(_ request: ListStudiesRequest, context: CallContext) async throws -> ListStudiesResponse {
    let page = try PageRequest(size: request.pageSize, token: request.pageToken)
    let find: ServiceDatabase.Lookup<Found<ListStudiesResponse>> = { snapshot, gate in
      let (studies, next) = try StudyStore.list(page, snapshot)
      let open = try studies.filter { try gate.isOpen(to: $0, snapshot) }
      return Found(ListStudiesResponse(studies: open, nextPageToken: next), targets: AccessTarget.tenant)
    }
    return try await data.read(context, of: find) { _, _, found in found.value }
  }

  func updateStudy(_ request: UpdateStudyRequest, context: CallContext) async throws -> UpdateStudyResponse {
    let wanted = request.study ?? ConsentStudy()
    return try await data.once(request, context, of: .study(wanted.studyID)) { transaction, caller, _ in
      let known = try StudyStore.study(wanted.studyID, transaction)
      var study = try StudyRules.checked(wanted)
      study.createdAt = known.createdAt
      var asked = study
      try study.withholdWeakening(of: known, by: caller, transaction)
      if study != known { try store(study, replacing: known, transaction, caller) }
      if let change = study.pendingChange, change != known.pendingChange {
        asked.pendingChange = change
        let note = StudyChange.note(from: study, to: asked)
        try transaction.note(
          ConsentEvent(kind: .approvalRequested, studyID: study.studyID, note: note), by: caller)
      }
      return UpdateStudyResponse(study: study)
    }
  }

  private func store(
    _ study: ConsentStudy, replacing known: ConsentStudy, _ transaction: Transaction, _ caller: Caller
  ) throws {
    try StudyStore.save(study, transaction)
    try Retention.setPolicy(of: study, by: caller.actor, transaction)
    let note = StudyChange.note(from: known, to: study)
    try transaction.note(ConsentEvent(kind: .studyChanged, studyID: study.studyID, note: note), by: caller)
  }

  // MARK: Sites

  func createSite(_ request: CreateSiteRequest, context: CallContext) async throws -> CreateSiteResponse {
    let wanted = request.site ?? StudySite()
    return try await data.once(request, context, of: .study(wanted.studyID)) { transaction, caller, _ in
      var site = wanted
      try Refusal.requireName(site.name, "site.name")
      _ = try StudyStore.study(site.studyID, transaction)
      site.siteID = try identifiers.chosen(site.siteID, "site.site_id")
      guard try StudyStore.site(site.siteID, of: site.studyID, transaction) == nil else {
        let message = "study '\(site.studyID)' has a site '\(site.siteID)' already"
        throw Refusal(.alreadyExists, "site_exists", field: "site.site_id", message)
      }
      try store(site, changed: "site_id, name", transaction, caller)
      return CreateSiteResponse(site: site)
    }
  }

  func listSites(_ request: ListSitesRequest, context: CallContext) async throws -> ListSitesResponse {
    try await data.read(context, of: .study(request.studyID)) { snapshot, _, _ in
      _ = try StudyStore.study(request.studyID, snapshot)
      let page = try PageRequest(size: request.pageSize, token: request.pageToken)
      let (sites, next) = try StudyStore.sites(of: request.studyID, page, snapshot)
      return ListSitesResponse(sites: sites, nextPageToken: next)
    }
  }

  func updateSite(_ request: UpdateSiteRequest, context: CallContext) async throws -> UpdateSiteResponse {
    let site = request.site ?? StudySite()
    return try await data.once(request, context, of: .study(site.studyID)) { transaction, caller, _ in
      guard let known = try StudyStore.site(site.siteID, of: site.studyID, transaction) else {
        throw Refusal.notFound("site", site.siteID, field: "site.site_id")
      }
      try Refusal.requireName(site.name, "site.name")
      if site != known { try store(site, changed: "name", transaction, caller) }
      return UpdateSiteResponse(site: site)
    }
  }

  private func store(
    _ site: StudySite, changed fields: String, _ transaction: Transaction, _ caller: Caller
  ) throws {
    try StudyStore.save(site, transaction)
    try transaction.note(
      ConsentEvent(kind: .studyChanged, studyID: site.studyID, siteID: site.siteID, note: fields), by: caller)
  }
}

/// The rules for a study to be stored.
private enum StudyRules {
  static func checked(_ study: ConsentStudy) throws(Refusal) -> ConsentStudy {
    if trimmed(study.name).isEmpty {
      throw Refusal(.invalid, "missing_text", field: "study.name", "study.name is empty")
    }
    try Refusal.requireName(study.name, "study.name")
    let locale = try LocaleTag.checked(
      study.defaultLocale.isEmpty ? "en" : study.defaultLocale, "study.default_locale")
    guard (0...36_500).contains(study.retentionDays) else {
      let message = "study.retention_days is \(study.retentionDays); it must be 0 to 36500"
      throw Refusal(.invalid, "out_of_bounds", field: "study.retention_days", message)
    }
    guard (0...365).contains(study.unfinishedAfterDays) else {
      let message = "study.unfinished_after_days is \(study.unfinishedAfterDays); it must be 0 to 365"
      throw Refusal(.invalid, "out_of_bounds", field: "study.unfinished_after_days", message)
    }
    try AuthenticationRules.check(study)
    var study = study
    study.defaultLocale = locale.text
    study.names = try StudyNames.checked(study.names, besides: locale, "study.names")
    return study
  }
}

extension ConsentStudy {
  /// Nobody weakens alone what the study proves, nor has data erased earlier: the first request waits until somebody
  /// else asks for the same. What else the request changes takes effect.
  fileprivate mutating func withholdWeakening(
    of known: ConsentStudy, by caller: Caller, _ transaction: Transaction
  ) throws {
    pendingChange = nil
    guard known.secondPerson, var change = PendingStudyChange(from: known, to: self), let field = change.fields.first
    else { return }
    let person = try Approver(caller, field: "study.\(field)", transaction)
    if let pending = known.pendingChange, change.isSame(as: pending) {
      guard person.asked(as: pending.askedBy) else { return }
      change = pending
    } else {
      (change.askedBy, change.askedAt) = (person.name, Timestamp(transaction.now))
    }
    change.withhold(from: &self, known: known)
    pendingChange = change
  }
}
