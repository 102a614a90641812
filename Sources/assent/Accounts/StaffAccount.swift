internal import AccountContract
internal import Base
internal import Bus
internal import RPC

/// Somebody of staff who works in a browser: a device that waits for the browser, with the person's account on it.
struct StaffAccount {
  /// What stands behind `/app#` or `/console#` of the gateway's address.
  let code: String
  let passcode: String
  let recoveryCode: String

  /// How long the link is good.
  private static let minutes: Int32 = 60

  /// Makes the device and the account, by an administrator's right.
  ///
  /// - Parameter channel: a connection that acts for whomever it is asked to.
  static func make(
    _ name: String, roles: [String], tenant: String, by administrator: BusChannel, over channel: BusChannel
  ) async throws -> StaffAccount {
    let admin = AccountAdminServiceClient(administrator)
    let options = CallOptions(waitsForReady: true)
    let policy = try await admin.getAccountSettings(GetAccountSettingsRequest(), options: options).settings?
      .passcodePolicy
    let wanted = AccountDevice(name: "\(name)'s browser")
    let made = try await DeviceServiceClient(administrator).createDeviceCode(
      CreateDeviceCodeRequest(device: wanted, minutes: Self.minutes))
    let invitation = try await admin.createAccountInvitation(CreateAccountInvitationRequest())
    let id = made.device?.deviceID ?? ""
    let people = PeopleServiceClient(
      channel.acting(for: CallerIdentity(kind: .device, tenant: tenant, subject: id, device: id)))
    let started =
      try await people.startOnboarding(
        StartOnboardingRequest(
          by: .invitationCode(invitation.code), profile: PersonProfile(title: name), locale: "en")
      ).onboarding ?? Onboarding()
    guard started.state == .passcode else {
      _ = try await people.cancelOnboarding(CancelOnboardingRequest(onboardingID: started.onboardingID))
      _ = try await admin.wipeDevice(WipeDeviceRequest(deviceID: id))
      throw ConsentComplaint(
        "people of tenant '\(tenant)' join by a consent flow, which \(name) has to walk: assent accounts add-device "
          + "makes the browser's link, and assent accounts add an invitation, whose code is entered there")
    }
    let passcode = Self.passcode(policy ?? PasscodePolicy(), from: Randomness.system)
    let done = try await people.finishOnboarding(
      FinishOnboardingRequest(onboardingID: started.onboardingID, passcode: passcode))
    for role in roles {
      _ = try await admin.grantRole(GrantRoleRequest(personID: started.personID, role: role))
    }
    return StaffAccount(code: made.code, passcode: passcode, recoveryCode: done.recoveryCode)
  }

  /// A passcode that meets the tenant's policy: groups of letters and digits, without any that are easily confused.
  static func passcode(_ policy: PasscodePolicy, from randomness: Randomness) -> String {
    let letters = ["abcdefghjkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"]
    let kinds = policy.digitsOnly ? ["0123456789"] : letters
    let count = max(3, (Int(policy.shortest) + 3) / 4)
    let groups = (0..<count).map { group in
      let letters = Array(kinds[group % kinds.count])
      return String(randomness.bytes(4).map { letters[Int($0) % letters.count] })
    }
    return groups.joined(separator: policy.digitsOnly ? "" : "-")
  }

  /// What the person needs to know.
  ///
  /// - Parameter address: where browsers reach the gateway.
  func lines(of name: String, at address: String) -> [String] {
    [
      "  \(address)/console#\(code)   for administrators", "  \(address)/app#\(code)   for visits at a shared device",
      "",
      "  person \(name), passcode \(passcode), recovery code \(recoveryCode)",
      "  One of these links makes one browser a device, once, within \(Self.minutes) minutes.",
    ]
  }
}
