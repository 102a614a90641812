internal import Base
internal import ServiceKit
internal import Storage

/// The key that wraps all others of an installation on one machine. It is made once, and never replaced.
struct MasterKeyFile {
  let path: String
  /// Whether it was made just now, so that somebody should put a copy into a safe place.
  let isNew: Bool

  /// The file in the data folder; nil where the operator says in the environment or in a settings file which key to use.
  static func prepared(
    _ settings: Settings<UpSettings>, environment: [String: String] = Environment.current,
    randomness: Randomness
  ) throws -> MasterKeyFile? {
    let isGiven = environment["ASSENT_MASTER_KEY"] != nil || environment["ASSENT_MASTER_KEY_FILE"] != nil
    if isGiven || settings.file != nil { return nil }
    let path = try Files.absolutePath("\(settings[\.data])/master.key")
    if Files.exists(path) { return MasterKeyFile(path: path, isNew: false) }
    try Files.write(Array((MasterKeys.newKeyText(randomness: randomness) + "\n").utf8), to: path, mode: 0o600)
    return MasterKeyFile(path: path, isNew: true)
  }
}
