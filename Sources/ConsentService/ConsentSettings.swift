internal import Base
internal import ServiceKit
internal import Storage

/// What ConsentService can be told.
struct ConsentSettings: SettingGroup {
  let data = Setting("data", default: "data", "the folder of the SQLite database, where no database URL is given")
  let databaseURL = Setting<Secret?>(
    "database-url", default: nil, "the PostgreSQL database to use instead of SQLite, such as postgres://user@host/name")
  let masterKey = Setting<Secret?>(
    "master-key", default: nil, "the keys that seal personal data, 64 hexadecimal digits each, the current one first")
  let statementKey = Setting<Secret?>(
    "statement-key", default: nil,
    "what signs statements for offline use, 64 hexadecimal digits; derived from the master key unless given")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
  let jobs = Setting("jobs", default: 4, in: 1...256, "how many jobs run at a time")
}

extension Settings<ConsentSettings> {
  /// Where the database is.
  func databaseLocation() throws -> DatabaseLocation {
    guard let url = self[\.databaseURL] else {
      try Files.makeFolder(self[\.data], mode: 0o700)
      return .sqlite(path: "\(self[\.data])/consent.db")
    }
    guard let location = DatabaseLocation(url.reveal()) else {
      throw SetupError(description: "database-url is neither postgres://… nor sqlite:PATH")
    }
    return location
  }

  func masterKeys() throws -> MasterKeys { try MasterKeys(text: try masterKeyText()) }

  func statementSigner() throws -> StatementKey {
    let seed: [UInt8]?
    if let text = self[\.statementKey] {
      seed = Hex.decode(trimmed(text.reveal()))
    } else {
      seed = Digest(of: Array("assent-statement-key-1\n\(try masterKeyText())".utf8)).bytes
    }
    guard let key = seed.flatMap({ StatementKey(seed: $0) }) else {
      throw SetupError(description: "statement-key must be 64 hexadecimal digits")
    }
    return key
  }

  private func masterKeyText() throws -> String {
    guard let text = self[\.masterKey] else {
      throw SetupError(
        description: "there is no master key to seal personal data with: give one with --master-key-file or in "
          + "ASSENT_MASTER_KEY")
    }
    return text.reveal()
  }
}

/// What stands in the way of starting, in one line.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}
