internal import AccountContract
internal import RPC
internal import ServicePolicy
internal import Storage

/// The handlers of ViewService.
struct ViewHandlers: ViewServiceProtocol {
  let parts: AccountParts

  func getAccountView(_ request: GetAccountViewRequest, context: CallContext) async throws -> GetAccountViewResponse {
    guard request.kind != .unspecified else {
      throw Refusal(.invalid, "missing", field: "kind", "kind is missing")
    }
    try LocaleRules.check(request.locale)
    let others = request.kind == .switch ? try await others(request.query, context) : []
    var shown = try await shown(request.kind, others, about: request.personID, in: request.locale, context)
    let caller = try Caller(context.identity)
    shown.facts.isOwn = caller.isPerson && request.blocked?.person?.personID == caller.actor
    if request.kind == .failedItems || request.kind == .syncDone && caller.isPerson {
      (shown.facts.items, shown.facts.nextItems) = try await items(of: request, shown.texts, context)
    }
    return GetAccountViewResponse(view: ViewBuilder(shown.texts).view(request, shown.facts))
  }

  func getOfflineViews(
    _ request: GetOfflineViewsRequest, context: CallContext
  ) async throws -> GetOfflineViewsResponse {
    try LocaleRules.check(request.locale)
    let shown = try await shown(.signIn, try await others("", context), about: "", in: request.locale, context)
    return ViewBuilder(shown.texts).forLater(shown.facts)
  }

  /// What the person who is signed in has to decide: a page of it, or whether there is anything.
  private func items(
    of request: GetAccountViewRequest, _ texts: AccountTexts, _ context: CallContext
  ) async throws -> (items: [ItemOutcome], next: String) {
    let size: Int32 = request.kind == .failedItems ? 0 : 1
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      try OwnItems(of: try caller.person(), snapshot).failed(size, request.pageToken, ItemWords(texts))
    }
  }

  private func others(_ query: String, _ context: CallContext) async throws -> [ListedPerson] {
    let people = PeopleHandlers(parts: parts)
    var others: [ListedPerson] = []
    var token = ""
    var room: PictureRoom? = PictureRoom()
    repeat {
      let page = try await people.page(
        ListPeopleRequest(query: query, pageSize: 1000, pageToken: token), pictures: room, context)
      others += page.answer.others
      (token, room) = (page.answer.nextPageToken, page.pictures)
    } while !token.isEmpty && others.count < Self.mostPeople
    return others
  }

  /// What a screen of the caller's device shows, and its texts.
  private func shown(
    _ kind: AccountViewKind, _ others: [ListedPerson], about personID: String, in locale: String,
    _ context: CallContext
  ) async throws -> (facts: ViewFacts, texts: AccountTexts) {
    try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let device = try DeviceStore.inUse(disclosure.caller.device, snapshot)
      disclosure.noteLook(at: "device/\(device.id)", of: .tenant, for: "screen of accounts")
      let settings = try SettingsStore.settings(snapshot)
      let application = settings.application ?? ApplicationDetails()
      var facts = ViewFacts()
      (facts.application, facts.logo) = (application.title(in: locale), application.logo)
      facts.policy = settings.passcodePolicy ?? PasscodePolicy()
      facts.isSingleUser = device.isSingleUser
      facts.wantsInvitation = !settings.selfRegistration
      facts.others = others
      let person = personID.isEmpty ? device.current : personID
      facts.person = try PlacementStore.placement(of: person, on: device.id, snapshot)?
        .listed(settings.visibleFields, snapshot)
      facts.providers = settings.identityIssuers
        .filter { facts.person == nil || kind == .switch || person.hasPrefix($0.subjectPrefix) }
        .map { ViewFacts.Provider(issuer: $0.issuer, title: $0.shownTitle, isOnPages: $0.client != nil) }
      if facts.person != nil {
        facts.hasPasscode = try PlacementStore.verifier(of: try Subject.stored(person), on: device.id, snapshot) != nil
      }
      if facts.person == nil, !personID.isEmpty { throw Refusal.notFound("person", personID) }
      return (facts, AccountTexts(locale: locale, own: settings.viewTexts))
    }
  }

  /// More people than anybody looks through. `ListPeople` returns the rest, in pages.
  private static let mostPeople = 2000
}
