internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// The handlers of DeviceService.
struct DeviceHandlers: DeviceServiceProtocol {
  let parts: AccountParts
  private static let proofSkew = Duration.seconds(300)

  func registerDevice(_ request: RegisterDeviceRequest, context: CallContext) async throws -> RegisterDeviceResponse {
    let secret = parts.randomness.bytes(32)
    let identifier = parts.identifiers.next()
    // An app that may be used at some places registers devices for these places only.
    let places = context.identity.kind == .device ? context.identity.grants : []
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      var device = request.device ?? AccountDevice()
      try Self.checkRegistrant(caller, of: device.deviceID, transaction)
      if device.deviceID.isEmpty { device.deviceID = identifier }
      try Names.check(device.deviceID, "device.device_id")
      try ProfileRules.checkText(device.name, atMost: 200, "device.name")
      let hasSecret = device.publicKey.isEmpty
      if !hasSecret { try Self.checkKey(device.publicKey, "device.public_key") }
      try Self.insert(device, secret: hasSecret ? Digest(of: secret).bytes : [], places: places, transaction)
      try transaction.note(.deviceRegistered, by: caller.actor, device: device.deviceID)
      let stored = try DeviceStore.inUse(device.deviceID, transaction)
      return RegisterDeviceResponse(
        device: try stored.message(transaction), secret: hasSecret ? Base64URL.encode(secret) : "")
    }
  }

  static func checkKey(_ key: [UInt8], _ field: String) throws(Refusal) {
    guard DeviceKey(key) == nil else { return }
    let message =
      "\(field), of \(key.count) bytes, is neither a key of Ed25519 (32 bytes) nor an uncompressed point of P-256 (65 "
      + "bytes)"
    throw Refusal(.invalid, "bad_key", field: field, message)
  }

  static func insert(
    _ device: AccountDevice, secret: [UInt8], places: [String], _ transaction: Transaction
  ) throws {
    guard try !DeviceStore.insert(device, secret: secret, places: places, transaction) else { return }
    let message = "there is a device '\(device.deviceID)' already"
    throw Refusal(.alreadyExists, "device_exists", field: "device.device_id", message)
  }

  /// Refuses another device for a registered device, and an identifier that an app's key chose. Every key may register
  /// itself under its own name.
  ///
  /// A device that was wiped would live on in those that it registered. A key of the bus, and a key in a gateway's
  /// list, counts as the device of the same name. Services do not read the files with these names, so a chosen
  /// identifier could be a key's, and the new device would get that key's sessions.
  private static func checkRegistrant(_ caller: Caller, of id: String, _ snapshot: Snapshot) throws {
    guard caller.isDevice, id != caller.device else { return }
    guard try !DeviceStore.knows(caller.device, snapshot) else {
      let message =
        "'\(caller.device.shortened)' is a registered device, which registers no other: an app's key or an "
        + "administrator does"
      throw Refusal(.denied, "registered_device", message)
    }
    guard id.isEmpty else {
      let message =
        "device.device_id is '\(id.shortened)', and an app's key registers devices without one: an administrator may "
        + "choose it"
      throw Refusal(.denied, "chosen_device_id", field: "device.device_id", message)
    }
  }

  func authenticateDevice(
    _ request: AuthenticateDeviceRequest, context: CallContext
  ) async throws -> AuthenticateDeviceResponse {
    let tokens = parts.tokens
    guard let tenant = request.tenant.isEmpty ? try? context.tenant() : Tenant(request.tenant) else {
      let message = "tenant is '\(request.tenant.shortened)'; it must be the device's tenant"
      throw Refusal(.invalid, "bad_tenant", field: "tenant", message)
    }
    let wrong = Refusal(
      .unauthenticated, "wrong_proof", field: "proof", "proof is not the one of a device of this identifier")
    // Wrong proofs are not counted: nobody guesses 32 random bytes, and counting would let others lock a device out.
    // Anybody may call this, so a proof that is wrong costs no transaction that others wait for.
    let known = try await parts.data.readByKind(context, in: tenant) { snapshot in
      try TenantStore.isDisabled(snapshot) ? nil : DeviceStore.device(request.deviceID, snapshot)
    }
    guard let known, Self.isProved(request, known, of: tenant) else { throw wrong }
    return try await parts.data.changeByKind(context, in: tenant) { transaction in
      if case .signed(let proof) = request.proof { try Self.checkClock(of: proof, known, transaction) }
      let device = try DeviceStore.inUse(known.id, transaction)
      let (token, end) = tokens.device(device.id, places: device.places, of: tenant, at: transaction.now)
      return AuthenticateDeviceResponse(accessToken: token, expiresAt: Timestamp(end))
    }
  }

  private static func isProved(
    _ request: AuthenticateDeviceRequest, _ device: StoredDevice, of tenant: Tenant
  ) -> Bool {
    switch request.proof {
    case .secret(let text):
      guard !device.secret.isEmpty, let secret = Base64URL.decode(text) else { return false }
      return isSame(Digest(of: secret).bytes, device.secret)
    case .signed(let proof):
      guard let at = proof.at?.instant, let key = DeviceKey(device.publicKey) else { return false }
      let lines = ["assent-device-1", tenant.id, device.id, String(at.millisecondsSince1970)]
      return key.verifies(proof.signature, of: lines.joined(separator: "\n"))
    case nil: return false
    }
  }

  /// Throws unless a signature that is the device's was made just now, and after the one before.
  private static func checkClock(
    of proof: DeviceSignature, _ device: StoredDevice, _ transaction: Transaction
  ) throws {
    guard let at = proof.at?.instant else { return }
    let offset = at < transaction.now ? transaction.now - at : at - transaction.now
    guard offset <= proofSkew else { throw clock("wrong_clock", "more than five minutes off", device, transaction) }
    // Each proof must be newer than the one before, so that an intercepted proof cannot be used again.
    guard try DeviceStore.prove(device.id, at: at, transaction) else {
      throw clock("proof_used", "not later than in the device's last proof", device, transaction)
    }
  }

  /// The error for a signature that is the device's, at a time that does not do. A device learns from it by how much
  /// its clock is wrong.
  private static func clock(
    _ rule: String, _ what: String, _ device: StoredDevice, _ snapshot: Snapshot
  ) -> Refusal {
    let hasProved = device.provedAt > Instant(millisecondsSince1970: 0)
    let message = "signed.at is \(what); by the server's clock it is \(TimeText.rfc3339(snapshot.now))"
    return Refusal(
      .unauthenticated, rule, field: "signed.at", message,
      details: [
        DeviceClock(
          serverTime: Timestamp(snapshot.now), lastProof: hasProved ? Timestamp(device.provedAt) : nil)
      ])
  }

  func getApplication(_ request: GetApplicationRequest, context: CallContext) async throws -> GetApplicationResponse {
    try LocaleRules.check(request.locale)
    return try await parts.data.read(context, of: AccountData.own) { snapshot, caller, _ in
      let settings = try SettingsStore.settings(snapshot)
      let application = settings.application ?? ApplicationDetails()
      let device = try DeviceStore.device(caller.device, snapshot)
      return GetApplicationResponse(
        title: application.title(in: request.locale), logo: application.logo,
        logoMediaType: PictureRules.mediaType(of: application.logo), selfRegistration: settings.selfRegistration,
        singleUser: device?.isSingleUser ?? false)
    }
  }
}
