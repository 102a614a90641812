import AccountContract
import AccountService
import Base
import RPC
import StorageTestKit
import TestSupport
import Testing
import Tokens
import Wire

@Suite("Devices") struct DeviceTests {
  @Test("a device proves itself by its secret", arguments: TestEngine.allCases)
  func secret(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let app = world.device("app").devices
    let made = try await app.registerDevice(RegisterDeviceRequest(device: AccountDevice(name: "Ward 3")))
    let id = try #require(made.device?.deviceID)
    let answer = try await app.authenticateDevice(
      AuthenticateDeviceRequest(deviceID: id, proof: .secret(made.secret)))
    let bearer = try world.bearer(answer.accessToken)
    #expect(try await bearer.people.listPeople(ListPeopleRequest()) == ListPeopleResponse())
    for (device, proof) in [
      (id, AuthenticateDeviceRequest.Proof.secret("")), (id, .secret(made.secret + "A")),
      ("other", .secret(made.secret)),
      (id, .signed(DeviceSignature())),
    ] {
      await expectRefusal(.unauthenticated, "wrong_proof") {
        try await app.authenticateDevice(AuthenticateDeviceRequest(deviceID: device, proof: proof))
      }
    }
    await expectRefusal(.unauthenticated, "wrong_proof") {
      try await app.authenticateDevice(AuthenticateDeviceRequest(deviceID: id))
    }
    await expectRefusal(.alreadyExists, "device_exists") {
      try await world.admin.devices.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: id)))
    }
    await expectRefusal(.invalidArgument, "bad_key") {
      try await app.registerDevice(RegisterDeviceRequest(device: AccountDevice(publicKey: [1])))
    }
    await world.end()
  }

  @Test("a device proves itself by its key pair, each time anew", arguments: TestEngine.allCases)
  func keyPair(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let key = try #require(SigningKey(seed: [UInt8](repeating: 3, count: 32)))
    let app = world.device("app").devices
    let made = try await world.admin.devices.registerDevice(
      RegisterDeviceRequest(device: AccountDevice(deviceID: "phone", publicKey: key.verifyingKey.bytes)))
    #expect(made.secret == "")
    func proof(at offset: Duration, tenant: String = "t1") -> AuthenticateDeviceRequest {
      let at = world.clock.clock.now + offset
      let text = "assent-device-1\n\(tenant)\nphone\n\(at.millisecondsSince1970)"
      return AuthenticateDeviceRequest(
        deviceID: "phone", proof: .signed(DeviceSignature(at: Timestamp(at), signature: key.sign(Array(text.utf8)))))
    }
    let first = proof(at: .zero)
    #expect(try await app.authenticateDevice(first).accessToken != "")
    await expectRefusal(.unauthenticated, "wrong_proof") {
      try await app.authenticateDevice(proof(at: .seconds(1), tenant: "t2"))
    }
    for used in [first, proof(at: .seconds(-1))] {
      await expectRefusal(.unauthenticated, "proof_used") { try await app.authenticateDevice(used) }
    }
    #expect(try await app.authenticateDevice(proof(at: .seconds(1))).accessToken != "")
    await world.end()
  }

  @Test(
    "a device with a wrong clock is told the server's time, and proves itself by it",
    arguments: [Duration.days(-400), .seconds(-301), .seconds(301), .days(400)])
  func wrongClock(offset: Duration) async throws {
    let world = try await AccountWorld()
    let key = try #require(SigningKey(seed: [UInt8](repeating: 3, count: 32)))
    _ = try await world.admin.devices.registerDevice(
      RegisterDeviceRequest(device: AccountDevice(deviceID: "phone", publicKey: key.verifyingKey.bytes)))
    let app = world.device("app").devices
    func proof(at time: Instant) -> AuthenticateDeviceRequest {
      let text = "assent-device-1\nt1\nphone\n\(time.millisecondsSince1970)"
      let signed = DeviceSignature(at: Timestamp(time), signature: key.sign(Array(text.utf8)))
      return AuthenticateDeviceRequest(deviceID: "phone", proof: .signed(signed))
    }
    // Four minutes ahead is near enough; a device that corrects its clock then is told before which time it may not be.
    let ahead = world.clock.clock.now + .seconds(240)
    _ = try await app.authenticateDevice(proof(at: ahead))
    for (time, rule) in [(world.clock.clock.now + offset, "wrong_clock"), (world.clock.clock.now, "proof_used")] {
      let status = await expectRefusal(.unauthenticated, rule) { try await app.authenticateDevice(proof(at: time)) }
      let told = try #require(status?.details.first { $0.typeName == DeviceClock.messageName }).value
      let clock = try DeviceClock(decoding: told)
      #expect(clock.serverTime?.instant == world.clock.clock.now && clock.lastProof?.instant == ahead)
    }
    _ = try await app.authenticateDevice(proof(at: ahead + .milliseconds(1)))
    await world.end()
  }

  @Test("a device may have a key of P-256, as key stores make them")
  func p256() async throws {
    let world = try await AccountWorld()
    let file = try Files.read(Repository.path("clients/vectors/devices.json"))
    let vector = JSONValue(parsing: String(decoding: file, as: UTF8.self))["es256"]
    func text(_ name: String) throws -> String { try #require(vector[name].text) }
    func bytes(_ name: String) throws -> [UInt8] { try #require(Hex.decode(try text(name))) }
    let time = Instant(millisecondsSince1970: try #require(Int64(try text("at_ms"))))
    let (id, point) = (try text("device_id"), try bytes("public_key"))
    _ = try await world.admin.devices.registerDevice(
      RegisterDeviceRequest(device: AccountDevice(deviceID: id, publicKey: point)))
    let app = world.device("app").devices
    func proof(_ signature: [UInt8]) -> AuthenticateDeviceRequest {
      AuthenticateDeviceRequest(
        deviceID: id, proof: .signed(DeviceSignature(at: Timestamp(time), signature: signature)))
    }
    let right = try bytes("signature")
    for wrong in [Array(right.dropLast()), right.reversed(), []] {
      await expectRefusal(.unauthenticated, "wrong_proof") { try await app.authenticateDevice(proof(wrong)) }
    }
    #expect(try await app.authenticateDevice(proof(right)).accessToken != "")
    for bad in [Array(point.dropLast()), [3] + point.dropFirst(), point.map { $0 ^ 1 }] {
      await expectRefusal(.invalidArgument, "bad_key") {
        try await app.registerDevice(RegisterDeviceRequest(device: AccountDevice(publicKey: bad)))
      }
    }
    await world.end()
  }

  @Test("a key takes no name for a device, and so not that of another key; it may register itself under its own")
  func names() async throws {
    let world = try await AccountWorld()
    let pad = world.device("pad").devices
    for name in ["pad-of-another", "app"] {
      await expectRefusal(.permissionDenied, "chosen_device_id") {
        try await pad.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: name)))
      }
    }
    let made = try await pad.registerDevice(RegisterDeviceRequest(device: AccountDevice(name: "Ward 3")))
    #expect(made.device?.deviceID.isEmpty == false)
    let own = try await pad.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: "pad")))
    #expect(own.device?.deviceID == "pad")
    let chosen = RegisterDeviceRequest(device: AccountDevice(deviceID: "kiosk"))
    #expect(try await world.admin.devices.registerDevice(chosen).device?.deviceID == "kiosk")
    await world.end()
  }

  @Test(
    "a registered device registers no other one, so none that it made is left once it is wiped",
    arguments: TestEngine.allCases)
  func lost(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let app = world.device("app").devices
    let made = try await app.registerDevice(RegisterDeviceRequest(device: AccountDevice(name: "Ward 3")))
    let id = try #require(made.device?.deviceID)
    let proof = AuthenticateDeviceRequest(deviceID: id, proof: .secret(made.secret))
    let token = try await app.authenticateDevice(proof).accessToken
    let pair = try #require(SigningKey(seed: [UInt8](repeating: 3, count: 32)))
    let others = [
      AccountDevice(), AccountDevice(deviceID: "another"), AccountDevice(publicKey: pair.verifyingKey.bytes),
    ]
    // The device has its token, and may have a key of its name.
    let credentials = try [world.bearer(token).devices, world.device(id).devices]
    func registersNone() async {
      for own in credentials {
        for other in others {
          await expectRefusal(.permissionDenied, "registered_device") {
            try await own.registerDevice(RegisterDeviceRequest(device: other))
          }
        }
        await expectRefusal(.alreadyExists, "device_exists") {
          try await own.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: id)))
        }
      }
    }
    await registersNone()
    _ = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: id))
    await registersNone()
    await expectRefusal(.failedPrecondition, "device_wiped") { try await app.authenticateDevice(proof) }
    let devices = try await world.admin.admin.listDevices(ListDevicesRequest()).devices
    #expect(devices.map(\.deviceID) == [id])
    #expect(try await app.registerDevice(RegisterDeviceRequest(device: AccountDevice())).device != nil)
    await world.end()
  }

  @Test("a wiped device is refused, and its people are listed elsewhere alone", arguments: TestEngine.allCases)
  func wiped(engine: TestEngine) async throws {
    let world = try await AccountWorld(engine)
    let anna = try await world.open("Anna")[0]
    let refresh = try await world.signIn(anna).tokens?.refreshToken ?? ""
    let wiped = try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet"))
    #expect(wiped.device?.wipedAt != nil)
    #expect(try await world.admin.admin.wipeDevice(WipeDeviceRequest(deviceID: "tablet")) == wiped)
    await expectRefusal(.failedPrecondition, "device_wiped") { try await world.list() }
    await expectRefusal(.failedPrecondition, "device_wiped") { try await world.signIn(anna) }
    await expectRefusal(.unauthenticated, "bad_refresh_token") {
      try await world.device("tablet").signIn.refreshTokens(RefreshTokensRequest(refreshToken: refresh))
    }
    #expect(try await world.admin.admin.listAccounts(ListAccountsRequest()).accounts.first?.deviceIDs == [])
    await world.end()
  }

  @Test(
    "the application's title is the one of the locale, or the closest",
    arguments: [
      ("de-AT", "Herz"), ("DE", "Herz"), ("fr", "Heart"), ("", "Heart"),
    ])
  func titles(locale: String, title: String) async throws {
    let world = try await AccountWorld()
    let titles = [AccountText(locale: "de", text: "Herz"), AccountText(locale: "en", text: "Heart")]
    try await world.allowSelfRegistration {
      $0.application = ApplicationDetails(titles: titles, logo: PictureRuleTests.png(64, 64))
    }
    let application = try await world.device("app").devices.getApplication(GetApplicationRequest(locale: locale))
    #expect(application.title == title && application.logoMediaType == "image/png" && application.selfRegistration)
    await world.end()
  }

  @Test("a locale has 35 bytes at most, for every call and setting that takes one")
  func longLocales() async throws {
    let world = try await AccountWorld()
    _ = try await world.open("Anna")
    let (app, long) = (world.device("tablet"), String(repeating: "a-", count: 128))
    await expectRefusal(.invalidArgument, "too_long") {
      try await app.devices.getApplication(GetApplicationRequest(locale: long))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await app.views.getAccountView(GetAccountViewRequest(kind: .signIn, locale: long))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await app.views.getOfflineViews(GetOfflineViewsRequest(locale: long))
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await app.people.startOnboarding(
        StartOnboardingRequest(
          by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Ben"), locale: long))
    }
    #expect(try await app.devices.getApplication(GetApplicationRequest(locale: String(long.dropLast()))).title == "")
    await expectRefusal(.invalidArgument, "too_long") {
      try await world.allowSelfRegistration {
        $0.application = ApplicationDetails(titles: [AccountText(locale: long, text: "Heart")])
      }
    }
    await expectRefusal(.invalidArgument, "too_long") {
      try await world.allowSelfRegistration(flow: String(repeating: "f", count: 129))
    }
    await world.end()
  }
}
