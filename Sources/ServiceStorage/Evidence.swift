internal import Base
public import ServiceKit
public import Storage

/// The settings for evidence: signed heads of the event logs, by which later changes to a service's history are
/// detected. They have the same names in every program.
public struct EvidenceSettings: SettingGroup {
  public let key = Setting<Secret?>(
    "evidence-key", default: nil,
    "the private key that signs the heads of the event logs, 64 hexadecimal digits; keep it apart from the database")
  public let installation = Setting(
    "evidence-origin", default: "assent", shown: "NAME", "the first part of the logs' names, such as a host's name")
  public let heads = Setting<String?>(
    "evidence-heads", default: nil, shown: "FILE", "the file that keeps signed heads outside the database")
  public let interval = Setting(
    "evidence-interval", default: Duration.seconds(30), in: .seconds(1) ... .seconds(60),
    "how often heads of logs with new events are signed")

  public init() {}
}

extension Settings<HousekeepingSettings> {
  /// The key that signs heads; nil if none was given.
  private var evidenceKey: EvidenceKey? {
    get throws { try settings(of: \.evidence)[\.key].map { try EvidenceKey(text: $0.reveal()) } }
  }
}

extension ServiceHost {
  /// The signer of the heads of a database's event logs; nil without an evidence key. The process's log states its
  /// public key, or that heads are not signed.
  public func evidenceSigner(
    for database: Database, _ housekeeping: Settings<HousekeepingSettings>
  ) async throws -> EvidenceSigner? {
    let settings = housekeeping.settings(of: \.evidence)
    guard let text = settings[\.key] else {
      if try await database.hasSignedHeads {
        // Somebody may have removed the key, by mistake or in order to change the history unnoticed.
        log.warn(
          "heads of the event logs are signed no more",
          ["reason": "no evidence-key was given, and what earlier heads cover is not held to them"])
      } else {
        log.info("heads of the event logs are not signed", ["reason": "no evidence-key was given"])
      }
      return nil
    }
    let installation = settings[\.installation]
    guard !installation.isEmpty, !installation.contains(where: { $0.isWhitespace || $0 == "+" }) else {
      throw DatabaseSettingsError("evidence-origin is empty, or holds spaces or +")
    }
    let log = log
    let key = try EvidenceKey(text: text.reveal())
    // Whoever verifies evidence needs the public key, and can take it from this line of the log.
    log.info("heads of the event logs are signed", ["public_key": key.publicText])
    return EvidenceSigner(
      database, key: key, installation: installation,
      file: try settings[\.heads].map { try HeadFile($0) }
    ) { head in
      let signature = head.note.split { $0 == " " || $0 == "\n" }.last.map(String.init) ?? ""
      log.info(
        "head signed",
        [
          "origin": "\(head.checkpoint.origin)", "size": "\(head.checkpoint.size)", "root": "\(head.checkpoint.root)",
          "signature": "\(signature)",
        ])
    }
  }
}
