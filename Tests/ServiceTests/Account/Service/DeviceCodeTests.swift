import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing
import Wire

/// Browsers that become devices by a code.
@Suite("Codes of devices") struct DeviceCodeTests {
  private func key(_ seed: UInt8) throws -> SigningKey {
    try #require(SigningKey(seed: [UInt8](repeating: seed, count: 32)))
  }

  private func proof(of device: String, at time: Instant, _ key: SigningKey) -> AuthenticateDeviceRequest {
    let text = "assent-device-1\nt1\n\(device)\n\(time.millisecondsSince1970)"
    let signed = DeviceSignature(at: Timestamp(time), signature: key.sign(Array(text.utf8)))
    return AuthenticateDeviceRequest(deviceID: device, proof: .signed(signed), tenant: "t1")
  }

  private func stranger(_ world: AccountWorld) -> AccountClients { world.clients(.stranger) }

  @Test("without any key, a browser becomes the device of a code, and calls as it", arguments: TestEngine.allCases)
  func registers(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    try await world.allowSelfRegistration()
    let made = try await world.admin.devices.createDeviceCode(
      CreateDeviceCodeRequest(device: AccountDevice(name: "Ward 3")))
    let id = try #require(made.device?.deviceID)
    #expect(made.link == "/app#\(made.code)" && made.code.hasPrefix("t1."))
    #expect(made.expiresAt?.instant == world.clock.clock.now + .seconds(900))
    let own = try key(3)
    let (typed, isLower) = ("https://host.example\(made.link)", made.code.lowercased().replacing("t1.", with: "t1. "))
    let registered = try await stranger(world).devices.registerBrowser(
      RegisterBrowserRequest(code: typed, publicKey: own.verifyingKey.bytes))
    #expect(registered.tenant == "t1" && registered.device?.name == "Ward 3")
    // The answer was lost.
    #expect(
      try await stranger(world).devices.registerBrowser(
        RegisterBrowserRequest(code: isLower, publicKey: own.verifyingKey.bytes)) == registered)
    await expectRefusal(.failedPrecondition, "code_used_up") {
      try await stranger(world).devices.registerBrowser(
        RegisterBrowserRequest(code: made.code, publicKey: try key(4).verifyingKey.bytes))
    }
    let token = try await stranger(world).devices.authenticateDevice(proof(of: id, at: world.clock.clock.now, own))
    #expect(try await world.bearer(token.accessToken).people.listPeople(ListPeopleRequest()) == ListPeopleResponse())
    let people = try await world.onboard("Anna", device: id)
    #expect(try await world.signIn(people.person, device: id).tokens?.accessToken.isEmpty == false)
    let events = try await world.events().filter { $0.deviceID == id }.map(\.kind)
    #expect(events.prefix(2) == [.codeCreated, .deviceRegistered])
    await world.end()
  }

  @Test("a code that is wrong, of another kind, or too old makes no device", arguments: TestEngine.allCases)
  func refused(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let own = try key(3).verifyingKey.bytes
    let invited = try await world.admin.admin.createAccountInvitation(CreateAccountInvitationRequest()).code
    let made = try await world.admin.devices.createDeviceCode(CreateDeviceCodeRequest(minutes: 1))
    let elsewhere = made.code.replacing("t1.", with: "t2.")
    for wrong in ["", "t1.", "t1.AAAAAAAAAA", "t1.\(invited)", elsewhere, made.code + "A"] {
      await expectRefusal(.notFound, "unknown_code") {
        try await stranger(world).devices.registerBrowser(RegisterBrowserRequest(code: wrong, publicKey: own))
      }
    }
    for bad in [[], [1], [4] + own + own] as [[UInt8]] {
      await expectRefusal(.invalidArgument, "bad_key") {
        try await stranger(world).devices.registerBrowser(RegisterBrowserRequest(code: made.code, publicKey: bad))
      }
    }
    // The code of a device lets nobody join.
    try await world.register("tablet")
    await expectRefusal(.notFound, "unknown_code") {
      try await world.device("tablet").people.startOnboarding(
        StartOnboardingRequest(
          by: .invitationCode(String(made.code.dropFirst(3))), profile: PersonProfile(title: "Eve"), locale: "en"))
    }
    world.clock.move(by: .seconds(60))
    await expectRefusal(.failedPrecondition, "code_used_up") {
      try await stranger(world).devices.registerBrowser(RegisterBrowserRequest(code: made.code, publicKey: own))
    }
    let again = try await world.admin.devices.createDeviceCode(CreateDeviceCodeRequest())
    let id = try #require(again.device?.deviceID)
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: id))
    await expectRefusal(.failedPrecondition, "device_wiped") {
      try await stranger(world).devices.registerBrowser(RegisterBrowserRequest(code: again.code, publicKey: own))
    }
    await expectRefusal(.invalidArgument, "out_of_range") {
      try await world.admin.devices.createDeviceCode(CreateDeviceCodeRequest(minutes: 1441))
    }
    await world.end()
  }

  @Test("a device that waits for its browser proves itself by nothing, and a wiped one no more")
  func proofs() async throws {
    let world = try await AccountWorld()
    let own = try key(3)
    let made = try await world.admin.devices.createDeviceCode(
      CreateDeviceCodeRequest(device: AccountDevice(deviceID: "pad")))
    let now = world.clock.clock.now
    for proof in [AuthenticateDeviceRequest.Proof.secret(""), proof(of: "pad", at: now, own).proof] {
      await expectRefusal(.unauthenticated, "wrong_proof") {
        try await stranger(world).devices.authenticateDevice(
          AuthenticateDeviceRequest(deviceID: "pad", proof: proof, tenant: "t1"))
      }
    }
    await expectRefusal(.invalidArgument, "bad_tenant") {
      try await stranger(world).devices.authenticateDevice(AuthenticateDeviceRequest(deviceID: "pad"))
    }
    _ = try await stranger(world).devices.registerBrowser(
      RegisterBrowserRequest(code: made.code, publicKey: own.verifyingKey.bytes))
    _ = try await stranger(world).devices.authenticateDevice(proof(of: "pad", at: now, own))
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "pad"))
    await expectRefusal(.failedPrecondition, "device_wiped") {
      try await stranger(world).devices.authenticateDevice(proof(of: "pad", at: now + .seconds(1), own))
    }
    await world.end()
  }
}
