internal import Base
internal import ServiceKit

/// The settings of `assent demo`.
struct DemoSettings: SettingGroup {
  /// The sample's path in the repository, and in a release below `share/assent`.
  private static let clinicalStudy = "samples/clinical-study"

  private static let installed =
    OwnProgram.companion(Self.clinicalStudy) ?? OwnProgram.companion("share/assent/\(Self.clinicalStudy)")

  let samples = Setting(
    "samples", default: Self.installed ?? Self.clinicalStudy, shown: "FOLDER", "the folder of the sample to walk")
  let output = Setting(
    "output", default: "demo", shown: "FOLDER",
    "the folder where the record, the images and the exports are left (-o)")
  let locale = Setting(
    "locale", default: "en", shown: "LOCALE", "the participant's language: ar, de, en, es, fr, ja or zh-Hans")
  let open = Setting("open", default: false, "only leaves an invitation ready, and prints its link for a browser")
  let address = Setting(
    "address", default: "http://127.0.0.1:8080", shown: "URL", "where browsers reach the gateway, for links")
  let door = DoorSettings()
}

extension Command {
  /// Walks the sample study through gateway and bus, as a participant and an investigator; then two people share a
  /// tablet.
  static let demo = Command(
    "demo", "walks a study from the first screen to the signed record", settings: DemoSettings()
  ) { settings in
    guard Files.exists("\(settings[\.samples])/document.json") else {
      throw ConsentComplaint("\(settings[\.samples]) has no sample; name its folder with --samples")
    }
    let door = try await ConsentDoor.open(settings.settings(of: \.door), as: "assent demo")
    // Each demo has a tenant of its own, so that it leaves nothing in anybody's studies.
    let tenant = "demo-\(Hex.encode(Randomness.system.bytes(4)))"
    let walk = DemoWalk(
      door: door, tenant: tenant, samples: settings[\.samples], locale: settings[\.locale])
    try await walk.openStudy()
    guard !settings[\.open] else {
      say("\nOpen this link in a browser:\n\n  \(settings[\.address])\(try await walk.invite())\n")
      return try await door.close()
    }
    say("\nA participant takes part:\n")
    let record = try await walk.takePart()
    say("✓ record \(record)")
    try await walk.counterSign()
    try await walk.leave(record, in: settings[\.output])
    say("\nAnother person, in another language, declines:\n")
    try await walk.decline()
    say("\nThe participant changes her mind:\n")
    try await walk.withdraw(record)
    say("\nTwo people share a tablet:\n")
    try await DemoAccounts(door: door, tenant: tenant, locale: settings[\.locale]).share()
    say("\nTake part yourself, in a browser:\n\n  \(settings[\.address])\(try await walk.invite())")
    let staff = try await walk.addStaff()
    say("\nSign in as \(DemoWalk.staff), who countersigns and administers, in another browser:\n")
    staff.lines(of: DemoWalk.staff, at: settings[\.address]).forEach { say($0) }
    say("\n✓ all of this is in tenant \(tenant): assent accounts list --tenant \(tenant)")
    try await door.close()
  }
}
