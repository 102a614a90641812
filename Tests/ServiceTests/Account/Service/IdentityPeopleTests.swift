import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing

/// People by an outside identity are people: with a name, with a way in that works, and with a passcode where that is
/// wanted.
@Suite("People by an outside identity") struct IdentityPeopleTests {
  private static let address = "https://id.clinic.example"

  private static func set(
    _ provider: OpenIDIssuer, _ world: AccountWorld, change: (inout IdentityIssuer) -> Void = { _ in }
  ) async throws {
    var issuer = IdentityIssuer(
      issuer: address, audiences: ["app"],
      keys: .jwks(String(decoding: try await provider.keys(), as: UTF8.self)), subjectPrefix: "clinic:",
      createsPeople: true)
    (issuer.title, issuer.subtitleClaim) = ("Northside Clinic", "job")
    change(&issuer)
    try await world.allowSelfRegistration {
      $0.identityIssuers = [issuer]
      $0.visibleFields = [.title, .subtitle, .picture]
    }
  }

  private static func signIn(
    _ claims: [String: String], _ provider: OpenIDIssuer, _ world: AccountWorld
  ) async throws -> SignInWithIdentityResponse {
    try await world.device("tablet").signIn.signInWithIdentity(
      SignInWithIdentityRequest(idToken: try await provider.token(claims: claims)))
  }

  private static func view(
    _ world: AccountWorld, _ kind: AccountViewKind = .signIn, _ person: String = ""
  ) async throws -> AccountView {
    try #require(
      try await world.device("tablet").views.getAccountView(GetAccountViewRequest(kind: kind, personID: person)).view)
  }

  @Test("claims name them, in the profile and on the device's list, and change what they said before")
  func names() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    try await Self.set(provider, world)
    try await world.register("tablet")
    let picture = "data:image/png;base64,\(Base64.encode(PictureRuleTests.png(8, 8)))"
    _ = try await Self.signIn(
      ["name": "\"Ada Lovelace\"", "job": "\"Nurse\"", "picture": "\"\(picture)\""], provider, world)
    let person = try #require(try await Self.view(world).person)
    #expect(person.profile?.title == "Ada Lovelace" && person.profile?.subtitle == "Nurse")
    #expect(person.profile?.initials == "AL" && person.profile?.picture == PictureRuleTests.png(8, 8))
    let before = try await world.person("clinic:ada").people.getProfile(GetProfileRequest()).profile
    // The same claims change nothing, and a picture elsewhere is not fetched.
    _ = try await Self.signIn(["name": "\"Ada Lovelace\"", "picture": "\"https://x.example/a.png\""], provider, world)
    #expect(try await world.person("clinic:ada").people.getProfile(GetProfileRequest()).profile == before)
    _ = try await Self.signIn(["given_name": "\"Ada\"", "family_name": "\"King\""], provider, world)
    let after = try #require(try await world.person("clinic:ada").people.getProfile(GetProfileRequest()).profile)
    #expect(after.title == "Ada King" && after.subtitle == "Nurse" && after.revision == (before?.revision ?? 0) + 1)
    // What no screen can draw is left out, and keeps nobody from signing in.
    _ = try await Self.signIn(["name": "\"\\u202Eevil\""], provider, world)
    #expect(try await world.person("clinic:ada").people.getProfile(GetProfileRequest()).profile == after)
    await provider.end()
    await world.end()
  }

  @Test("sign-in offers the provider, and a passcode only to whoever has one")
  func waysIn() async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    try await Self.set(provider, world)
    try await world.register("tablet")
    let nobody = try await Self.view(world)
    #expect(nobody.fields.isEmpty && nobody.buttons.map(\.action) == [.signInWithIdentity, .switch])
    #expect(nobody.buttons[0].title == "Sign In with Northside Clinic" && nobody.buttons[0].issuer == Self.address)
    _ = try await Self.signIn(["name": "\"Ada\""], provider, world)
    for kind in [AccountViewKind.signIn, .locked] {
      let ada = try await Self.view(world, kind, "clinic:ada")
      #expect(ada.fields.isEmpty && ada.buttons.map(\.action) == [.signInWithIdentity, .switch], "\(kind)")
    }
    let anna = try await world.onboard("Anna").person
    #expect(
      try await Self.view(world, .signIn, anna).buttons.map(\.action) == [.signIn, .forgotPasscode, .switch])
    _ = try await world.device("tablet").people.selectPerson(SelectPersonRequest(personID: "clinic:ada"))
    let offline = try await world.device("tablet").views.getOfflineViews(GetOfflineViewsRequest())
    #expect(offline.signIn?.fields.isEmpty == true && offline.signIn?.buttons.map(\.action) == [.switch])
    #expect(offline.signIn?.description == "You sign in with Northside Clinic, which needs a connection.")
    await provider.end()
    await world.end()
  }

  @Test(
    "they may set a passcode where the provider's settings say so, and then sign in by it", arguments: [true, false])
  func passcode(isAllowed: Bool) async throws {
    let (world, provider) = (try await AccountWorld(), try await OpenIDIssuer())
    try await Self.set(provider, world) { $0.passcodes = isAllowed }
    try await world.register("tablet")
    #expect(try await Self.signIn(["name": "\"Ada\""], provider, world).maySetPasscode == isAllowed)
    let ada = world.person("clinic:ada").signIn
    let wanted = ChangePasscodeRequest(personID: "clinic:ada", newPasscode: "lighthouse 42")
    guard isAllowed else {
      await expectRefusal(.unauthenticated, "wrong_passcode") { try await ada.changePasscode(wanted) }
      await provider.end()
      return await world.end()
    }
    // Nobody else sets it, not even the device.
    await expectRefusal(.unauthenticated, "wrong_passcode") {
      try await world.device("tablet").signIn.changePasscode(wanted)
    }
    _ = try await ada.changePasscode(wanted)
    // It is set once: from then on the present one is asked for.
    await expectRefusal(.unauthenticated, "wrong_passcode") { try await ada.changePasscode(wanted) }
    let view = try await Self.view(world, .signIn, "clinic:ada")
    #expect(view.buttons.map(\.action) == [.signIn, .signInWithIdentity, .forgotPasscode, .switch])
    let answer = try await world.device("tablet").signIn.signIn(
      SignInRequest(personID: "clinic:ada", passcode: "lighthouse 42"))
    #expect(answer.offline != nil)
    #expect(try await Self.signIn([:], provider, world).maySetPasscode == false)
    await provider.end()
    await world.end()
  }
}
