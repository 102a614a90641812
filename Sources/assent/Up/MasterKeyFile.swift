internal import Base
internal import ServiceKit
internal import Storage

/// The key that wraps all others of an installation on one machine. It is made once, and never replaced.
struct MasterKeyFile {
  let path: String
  /// Whether it was made just now, so that the operator should make a copy of it.
  let isNew: Bool

  /// The file in the data folder; nil if the operator states which key to use.
  static func prepared(_ settings: Settings<UpSettings>, randomness: Randomness) throws -> MasterKeyFile? {
    if settings[\.masterKey] != nil { return nil }
    if let file = settings.file, try namesKey(file) { return nil }
    let path = try Files.absolutePath("\(settings[\.data])/master.key")
    if Files.exists(path) { return MasterKeyFile(path: path, isNew: false) }
    try Files.write(Array((MasterKeys.newKeyText(randomness: randomness) + "\n").utf8), to: path, mode: 0o600)
    return MasterKeyFile(path: path, isNew: true)
  }

  /// Whether a settings file names a key in a service's own section, where only that service reads it.
  private static func namesKey(_ file: String) throws -> Bool {
    String(decoding: try Files.read(file, limit: 1 << 20), as: UTF8.self).split(separator: "\n").contains {
      $0.drop(while: \.isWhitespace).hasPrefix("master-key-file")
    }
  }
}
