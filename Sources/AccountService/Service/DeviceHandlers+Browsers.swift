internal import AccountContract
internal import Base
internal import RPC
internal import ServicePolicy
internal import Storage
internal import Wire

/// Browsers that become devices. The device is there from the moment when its code is made, so that an administrator
/// sees it and can wipe it, and waits for the key of the browser that brings the code.
extension DeviceHandlers {
  private static let usualMinutes = 15
  private static let mostMinutes = 1440

  func createDeviceCode(
    _ request: CreateDeviceCodeRequest, context: CallContext
  ) async throws -> CreateDeviceCodeResponse {
    let minutes = request.minutes == 0 ? Self.usualMinutes : Int(request.minutes)
    guard (1...Self.mostMinutes).contains(minutes) else {
      throw Refusal(
        .invalid, "out_of_range", field: "minutes", "minutes is \(request.minutes); it must be 1 to \(Self.mostMinutes)"
      )
    }
    let code = Codes.make(10, from: parts.randomness.bytes(10))
    let identifier = parts.identifiers.next()
    return try await parts.data.once(request, context, of: AccountData.own) { transaction, caller, _ in
      var device = request.device ?? AccountDevice()
      if device.deviceID.isEmpty { device.deviceID = identifier }
      try Names.check(device.deviceID, "device.device_id")
      try ProfileRules.checkText(device.name, atMost: 200, "device.name")
      guard device.publicKey.isEmpty else {
        throw Refusal(
          .invalid, "bad_key", field: "device.public_key", "device.public_key must be empty: the browser makes its key")
      }
      try Self.insert(device, secret: [], places: [], transaction)
      let link = DeviceLink(tenant: transaction.tenant, code: code)
      let end = transaction.now + .seconds(60 * minutes)
      try CodeStore.insert(
        link.digest, StoredCode(deviceID: device.deviceID), maker: "admin/\(caller.actor)", until: end, transaction)
      try transaction.note(.codeCreated, by: caller.actor, device: device.deviceID)
      return CreateDeviceCodeResponse(
        device: try DeviceStore.inUse(device.deviceID, transaction).message(transaction), code: link.text,
        link: "/app#\(link.text)", expiresAt: Timestamp(end))
    }
  }

  func registerBrowser(
    _ request: RegisterBrowserRequest, context: CallContext
  ) async throws -> RegisterBrowserResponse {
    let unknown = Refusal(.notFound, "unknown_code", field: "code", "there is no such code of a device")
    guard let link = DeviceLink(request.code) else { throw unknown }
    try Self.checkKey(request.publicKey, "public_key")
    // Anybody may call this, so a code that somebody made up costs no transaction that others wait for.
    let named = try await parts.data.readByKind(context, in: link.tenant) { snapshot in
      try TenantStore.isDisabled(snapshot) ? nil : CodeStore.device(of: link.digest, snapshot)
    }
    guard let id = named else { throw unknown }
    return try await parts.data.changeByKind(context, in: link.tenant) { transaction in
      let device = try DeviceStore.inUse(id, transaction)
      if device.publicKey != request.publicKey {
        guard try CodeStore.use(link.digest, transaction) != nil else {
          throw Refusal(.precondition, "code_used_up", field: "code", "the code was used, or has expired")
        }
        try DeviceStore.setKey(request.publicKey, of: id, transaction)
        try transaction.note(.deviceRegistered, by: id, device: id, note: "by its code")
      }
      return RegisterBrowserResponse(
        tenant: transaction.tenant.id, device: try DeviceStore.inUse(id, transaction).message(transaction))
    }
  }
}

/// The code by which a browser becomes a device, and its tenant: what stands behind the `#` of its link.
private struct DeviceLink {
  let tenant: Tenant
  let code: String

  init(tenant: Tenant, code: String) {
    (self.tenant, self.code) = (tenant, code)
  }

  /// Reads a code with its tenant, or its link; nil for a text that is neither.
  init?(_ text: String) {
    guard text.utf8.count <= 2000 else { return nil }
    let name = text.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), let tenant = Tenant(name[..<dot].filter { !$0.isWhitespace }),
      let code = Codes.normal(String(name[name.index(after: dot)...]))
    else { return nil }
    (self.tenant, self.code) = (tenant, code)
  }

  var text: String { "\(tenant.id).\(code)" }
  var digest: Digest { Codes.digest("device", code) }
}
