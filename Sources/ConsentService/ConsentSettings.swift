internal import Base
internal import ConsentDomain
internal import ServiceKit
internal import ServiceStorage
internal import Storage
internal import Webhooks

/// The settings of ConsentService.
struct ConsentSettings: SettingGroup {
  let database = DatabaseSettings()
  let statementKey = Setting<Secret?>(
    "statement-key", default: nil,
    "the private key that signs statements for offline use, 64 hexadecimal digits; derived from the master key unless "
      + "given")
  let slots = Setting("slots", default: 64, in: 1...4096, "how many calls are handled at a time")
  let jobs = Setting(
    "jobs", default: 4, in: 1...256,
    "how many background jobs, such as sealing a document, run at a time")
  let verificationAddress = Setting<String?>(
    "verification-address", default: nil, shown: "ADDRESS",
    "the URL that is printed before the identifier of each sealed document, so that both together lead to its "
      + "verification; unless given, the identifier is printed alone")
  let housekeeping = HousekeepingSettings()
  let webhooks = WebhookSettings()
}

extension Settings<ConsentSettings> {
  func statementSigner() throws -> SigningKey {
    let seed: [UInt8]?
    if let text = self[\.statementKey] {
      seed = Hex.decode(trimmed(text.reveal()))
    } else {
      let masterKeys = try settings(of: \.database).masterKeyText()
      seed = Digest(of: Array("assent-statement-key-1\n\(masterKeys.reveal())".utf8)).bytes
    }
    guard let key = seed.flatMap({ SigningKey(seed: $0) }) else {
      throw SetupError(description: "statement-key must be 64 hexadecimal digits")
    }
    return key
  }
}

/// Why the service cannot start, in one line.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}
