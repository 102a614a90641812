internal import RPC
internal import ServicePolicy
package import Storage

/// Tells the other services that an account was merged: a job for each of them, so that one that cannot be reached does
/// not keep others from knowing. Each job is repeated until its service has answered.
struct MergeJob: Sendable {
  private static let consentKind = "account.merge-consent"
  private static let signatureKind = "account.merge-signatures"

  let news: any MergeNews

  static func enqueue(_ ended: String, into staying: String, _ transaction: Transaction) throws {
    for kind in [consentKind, signatureKind] { try transaction.enqueue(kind, Array("\(ended)\n\(staying)".utf8)) }
  }

  var handlers: [JobHandler] {
    // A service that has recorded another merge of the same accounts refuses this one for good, which ends its job.
    [
      .lasting(Self.consentKind, until: .finalVerdicts) { job in
        try await tell(.consent, by: job) { try await news.tellConsent($0, into: $1, tenant: job.scope.tenant) }
      },
      .lasting(Self.signatureKind, until: .finalVerdicts) { job in
        try await tell(.signature, by: job) { try await news.tellSignatures($0, into: $1, tenant: job.scope.tenant) }
      },
    ]
  }

  /// Tells a service, and only then notes what it has under the ended identifier as changes of the person who stays. A
  /// device that fetched these earlier would be denied them, and the denial would be on record.
  private func tell(
    _ source: ChangeStore.Source, by job: Job, _ service: (String, String) async throws -> Void
  ) async throws {
    let names = String(decoding: job.payload, as: UTF8.self).split(separator: "\n").map(String.init)
    guard names.count == 2 else { return }
    let (ended, staying) = (names[0], names[1])
    try await service(ended, staying)
    try await job.finish { try ChangeStore.adopt(heardBy: source, from: ended, $0) }
  }
}

/// How AccountService tells other services of merged accounts.
package protocol MergeNews: Sendable {
  func tellConsent(_ ended: String, into staying: String, tenant: Tenant) async throws
  func tellSignatures(_ ended: String, into staying: String, tenant: Tenant) async throws
}
