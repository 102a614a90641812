internal import Base
public import ServiceKit
public import Storage

/// The settings that say where a service keeps its data and with which keys. They have the same names in every service
/// and in `assent data`.
public struct DatabaseSettings: SettingGroup {
  public let folder = Setting(
    "data", default: "data", shown: "FOLDER", "the folder of the SQLite database, where no database URL is given")
  public let url = Setting<Secret?>(
    "database-url", default: nil,
    "the PostgreSQL database to use instead of SQLite, such as postgresql://user@host/name")
  public let masterKey = Setting<Secret?>(
    "master-key", default: nil,
    "the master keys that protect the keys of personal data, 64 hexadecimal digits each, the current one first")
  public let erasureList = Setting<String?>(
    "erasure-list", default: nil, shown: "FILE",
    "the file that lists erasures and holds outside the database, so that a restored backup does not undo them; "
      + "beside a SQLite database unless given")

  public init() {}
}

extension Settings<DatabaseSettings> {
  /// The location of a service's database, which need not exist yet.
  public func location(of service: String) throws(DatabaseSettingsError) -> DatabaseLocation {
    guard let url = self[\.url] else { return .sqlite(path: "\(self[\.folder])/\(service).db") }
    guard let location = DatabaseLocation(url.reveal()) else {
      throw DatabaseSettingsError("database-url is neither postgresql://… nor sqlite:PATH")
    }
    return location
  }

  /// The location of a service's database; creates the folder for SQLite.
  public func preparedLocation(of service: String) throws -> DatabaseLocation {
    let location = try location(of: service)
    if self[\.url] == nil { try Files.makeFolder(self[\.folder], mode: 0o700) }
    return location
  }

  /// The text of the master keys as it was given. Services also derive other keys from it.
  public func masterKeyText() throws(DatabaseSettingsError) -> Secret {
    guard let text = self[\.masterKey] else {
      throw DatabaseSettingsError(
        "there is no master key to seal personal data with: give one with --master-key-file or in ASSENT_MASTER_KEY")
    }
    return text
  }

  public func masterKeys() throws -> MasterKeys {
    try MasterKeys(text: try masterKeyText().reveal())
  }
}

/// Why a database cannot be found or opened with these settings, in one line.
public struct DatabaseSettingsError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
