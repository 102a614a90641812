internal import Base
internal import ServiceKit

extension Command {
  /// Makes what containers are started with; compose runs it once before everything else.
  static let prepare = Command(
    "prepare", "makes the keys, passwords and settings of an installation in containers, a folder for each role",
    settings: PrepareSettings(), operands: "FOLDER"
  ) { settings in
    let installation = Installation(
      root: settings.operands[0], mount: settings[\.mount], databaseHost: settings[\.databaseHost],
      randomness: .system)
    try installation.prepare()
    say("✓ \(settings.operands[0])  has a folder for each role; keep copies of the files master.key and evidence.key")
    say("! seal/seal.key is self-signed, for development only: put a key whose certificate others trust in its place")
  }
}

/// The settings of `assent prepare`.
struct PrepareSettings: SettingGroup {
  let mount = Setting(
    "mount", default: "/keys", shown: "FOLDER", "where a role's folder appears in the containers of that role")
  let databaseHost = Setting(
    "database-host", default: "postgres", shown: "HOST", "the host of PostgreSQL, as services name it")
}
