import AccountContract
import Base
import BenchKit
import ConsentContract
import ConsentLoad
import RPC
import SignatureContract
import Wire

/// A gateway and all services on SQLite, each a process.
struct SyncSystem: Sendable, Stoppable {
  static let passcode = "correct horse 9"

  let consent: ConsentSystem
  let account: ChildProcess
  private let signature: ChildProcess

  /// - Parameter passcodeCost: what AccountService is told of it; by default checking a passcode takes next to nothing,
  ///   because what is measured is not Argon2.
  static func start(
    _ data: String, passcodeCost: [String] = ["--passcode-memory", "8KiB", "--passcode-passes", "1"]
  ) async throws -> SyncSystem {
    let consent = try await ConsentSystem.start(.folder(data), echoes: true, draws: false)
    let environment = ConsentSystem.keys
    let common = ["--bus-folder", consent.bus, "--data", data]
    let signature = try await Program.start("SignatureService", common, environment: environment)
    let account = try await Program.start(
      "AccountService", common + passcodeCost, environment: environment)
    let system = SyncSystem(consent: consent, account: account, signature: signature)
    let admin = AccountAdminServiceClient(system.channel(.person, "ops", grants: ["admin@*"]))
    _ = try await admin.setAccountSettings(
      SetAccountSettingsRequest(settings: AccountSettings(selfRegistration: true, uploadAtSwitch: true)),
      deadline: .seconds(30), options: CallOptions(waitsForReady: true))
    return system
  }

  func channel(
    _ kind: CallerKind, _ name: String, device: String = "", grants: [String] = []
  ) -> any Channel {
    consent.channel(
      for: CallerIdentity(kind: kind, tenant: ConsentSystem.tenant, subject: name, device: device, grants: grants))
  }

  /// A device with people on it, who have signed in there.
  func device(_ id: String, people count: Int) async throws -> SyncDevice {
    let admin = DeviceServiceClient(channel(.person, "ops", grants: ["admin@*"]))
    _ = try await admin.registerDevice(RegisterDeviceRequest(device: AccountDevice(deviceID: id, name: id)))
    let own = channel(.device, id, device: id)
    var people: [SyncPerson] = []
    for number in 0..<count {
      let started = try await PeopleServiceClient(own).startOnboarding(
        StartOnboardingRequest(
          by: .selfRegistration(SelfRegistration()), profile: PersonProfile(title: "Person \(number)"), locale: "en"))
      let onboarding = started.onboarding ?? Onboarding()
      _ = try await PeopleServiceClient(own).finishOnboarding(
        FinishOnboardingRequest(onboardingID: onboarding.onboardingID, passcode: Self.passcode))
      let signedIn = try await SignInServiceClient(own).signIn(
        SignInRequest(personID: onboarding.personID, passcode: Self.passcode))
      people.append(SyncPerson(id: onboarding.personID, grant: signedIn.uploadGrant))
    }
    return SyncDevice(id: id, people: people)
  }

  func sync(_ device: SyncDevice) -> SyncServiceClient {
    SyncServiceClient(channel(.device, device.id, device: device.id))
  }

  func sync(_ person: SyncPerson, at device: SyncDevice) -> SyncServiceClient {
    SyncServiceClient(channel(.person, person.id, device: device.id))
  }

  var processIDs: [Int32] { consent.processIDs + [account.id, signature.id] }

  func stop() async throws {
    try await consent.stop()
    await account.stop()
    await signature.stop()
  }
}

struct SyncPerson: Sendable {
  let id: String
  let grant: String
}

struct SyncDevice: Sendable {
  let id: String
  let people: [SyncPerson]
}

struct SyncFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
