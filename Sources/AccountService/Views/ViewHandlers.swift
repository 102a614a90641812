internal import AccountContract
internal import Bus
internal import ServicePolicy
internal import Storage

/// The handlers of ViewService.
struct ViewHandlers: ViewServiceProtocol {
  let parts: AccountParts

  func getAccountView(_ request: GetAccountViewRequest, context: CallContext) async throws -> GetAccountViewResponse {
    guard request.kind != .unspecified else {
      throw Refusal(.invalid, "missing", field: "kind", "kind is missing")
    }
    let people = PeopleHandlers(parts: parts)
    var others: [ListedPerson] = []
    var token = ""
    if request.kind == .switch {
      repeat {
        let page = try await people.listPeople(
          ListPeopleRequest(query: request.query, pageSize: 1000, pageToken: token), context: context)
        others += page.others
        token = page.nextPageToken
      } while !token.isEmpty && others.count < Self.mostPeople
    }
    let found = others
    return try await parts.data.disclose(context, of: AccountData.own) { snapshot, _, disclosure in
      let device = try DeviceStore.inUse(disclosure.caller.device, snapshot)
      disclosure.noteLook(at: "device/\(device.id)", of: .tenant, for: "screen of accounts")
      let settings = try SettingsStore.settings(snapshot)
      var facts = ViewFacts()
      facts.application = (settings.application ?? ApplicationDetails()).title(in: request.locale)
      facts.policy = settings.passcodePolicy ?? PasscodePolicy()
      facts.isSingleUser = device.isSingleUser
      facts.wantsInvitation = !settings.selfRegistration
      facts.others = found
      let person = request.personID.isEmpty ? device.current : request.personID
      facts.person = try PlacementStore.placement(of: person, on: device.id, snapshot)?
        .listed(settings.visibleFields, snapshot)
      if facts.person == nil, !request.personID.isEmpty { throw Refusal.notFound("person", request.personID) }
      return GetAccountViewResponse(view: ViewBuilder(AccountTexts(locale: request.locale)).view(request, facts))
    }
  }

  /// More than anybody looks through; the list itself comes in pages.
  private static let mostPeople = 2000
}
