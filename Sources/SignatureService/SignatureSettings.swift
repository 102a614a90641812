internal import Base
internal import ServiceKit
internal import Storage

/// What SignatureService can be told.
struct SignatureSettings: SettingGroup {
  let renderOnly = Setting(
    "render-only", default: false, "only make pictures: no database, no fields; start as many of these as needed")
  let data = Setting("data", default: "data", "the folder of the SQLite database, where no database URL is given")
  let databaseURL = Setting<Secret?>(
    "database-url", default: nil, "the PostgreSQL database to use instead of SQLite, such as postgres://user@host/name")
  let masterKey = Setting<Secret?>(
    "master-key", default: nil, "the keys that seal personal data, 64 hexadecimal digits each, the current one first")
  let renderThreads = Setting(
    "render-threads", default: 2, in: 1...256, "how many pictures are drawn at a time")
  let pictureCache = Setting(
    "picture-cache", default: ByteCount.mebibytes(16), in: ByteCount(0)...ByteCount.gibibytes(16),
    "what the pictures kept in memory may take")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
}

extension Settings<SignatureSettings> {
  /// Where the database is.
  func databaseLocation() throws -> DatabaseLocation {
    guard let url = self[\.databaseURL] else {
      try Files.makeFolder(self[\.data], mode: 0o700)
      return .sqlite(path: "\(self[\.data])/signature.db")
    }
    guard let location = DatabaseLocation(url.reveal()) else {
      throw SetupError(description: "database-url is neither postgres://… nor sqlite:PATH")
    }
    return location
  }

  func masterKeys() throws -> MasterKeys {
    guard let text = self[\.masterKey] else {
      throw SetupError(
        description: "there is no master key to seal signatures with: give one with --master-key-file or in "
          + "ASSENT_MASTER_KEY, or start with --render-only")
    }
    return try MasterKeys(text: text.reveal())
  }
}

/// What stands in the way of starting, in one line.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}
