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
  let answerLease = Setting(
    "answer-lease", default: Duration.seconds(1), in: .milliseconds(100)...AnswerLease.longest,
    "how long a process may answer from memory after it last heard from the database; a withdrawal waits at most that "
      + "long for a process that does not respond")
  let answerCache = Setting(
    "answer-cache", default: ByteCount.mebibytes(64), in: .mebibytes(1) ... .mebibytes(16_384),
    "the most memory for the answers that are kept to be given again")
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
  var answerMemory: AnswerMemory {
    AnswerMemory(lease: self[\.answerLease], mostBytes: self[\.answerCache].bytes)
  }

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
